#include "base/temporaries.hpp"

#include <chrono>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

namespace treeline::base {

namespace {

struct Names {
    std::mutex mutex;
    std::multiset<std::string> paths;
};

/// Never destroyed: files may outlive main().
Names& names() {
    static Names& kNames = *new Names;
    return kNames;
}

/// A library may be adding files to the folder.
void remove_for_good(const std::string& path) {
    constexpr int kAttempts = 1000;
    constexpr std::chrono::milliseconds kPause(1);
    std::error_code error;
    std::filesystem::remove_all(path, error);
    for (int attempt = 1; error && attempt < kAttempts; ++attempt) {
        std::this_thread::sleep_for(kPause);
        std::filesystem::remove_all(path, error);
    }
}

}  // namespace

TemporaryName::TemporaryName(std::string path, const std::function<void()>& create) {
    const std::lock_guard lock(names().mutex);
    const auto named = names().paths.insert(path);
    try {
        create();
    } catch (...) {
        names().paths.erase(named);
        throw;
    }
    path_ = std::move(path);
}

TemporaryName::TemporaryName(TemporaryName&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryName& TemporaryName::operator=(TemporaryName&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
}

TemporaryName::~TemporaryName() {
    if (!path_.empty()) {
        const std::lock_guard lock(names().mutex);
        names().paths.extract(path_);
    }
}

std::unique_lock<std::mutex> keep_temporaries() { return std::unique_lock(names().mutex); }

void remove_temporaries_for_good() {
    names().mutex.lock();
    for (const std::string& path : names().paths) {
        remove_for_good(path);
    }
}

}  // namespace treeline::base
