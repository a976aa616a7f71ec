#include "base/temporaries.hpp"

#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
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

}  // namespace

TemporaryName::TemporaryName(std::string path) : path_(std::move(path)) {
    const std::lock_guard lock(names().mutex);
    names().paths.insert(path_);
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
    std::error_code ignored;
    for (const std::string& path : names().paths) {
        // A library may be adding files to a folder.
        for (int attempt = 0; attempt < 3; ++attempt) {
            std::filesystem::remove_all(path, ignored);
        }
    }
}

}  // namespace treeline::base
