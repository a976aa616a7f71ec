#include "common/memory_watch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <system_error>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/temporaries.hpp"
#include "common/last_words.hpp"

namespace treeline::stage {

namespace {

using base::format_size;

/// Between two looks, where the limit is far and where it is near: what reads a line without end takes a gigabyte a second.
constexpr auto kInterval = std::chrono::milliseconds(5);
constexpr auto kShortInterval = std::chrono::milliseconds(1);
/// What every program may take: itself, its threads and buffers; and what the thread sanitizer keeps of all memory.
#ifdef __SANITIZE_THREAD__
constexpr std::uint64_t kProgram = std::uint64_t{256} << 20U;
#else
constexpr std::uint64_t kProgram = std::uint64_t{64} << 20U;
#endif

/// Bytes of memory of its own that the process has; 0 where nobody knows.
std::uint64_t own_memory() {
    static const auto kPage = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return 0;
    }
    std::array<char, 128> text{};
    const auto got = ::read(file, text.data(), text.size() - 1);
    ::close(file);
    unsigned long long size = 0;
    unsigned long long resident = 0;
    unsigned long long shared = 0;
    const bool known = got > 0 && std::sscanf(text.data(), "%llu %llu %llu", &size, &resident, &shared) == 3;
    return known && resident > shared ? (resident - shared) * kPage : 0;
}

}  // namespace

MemoryWatch::MemoryWatch(std::uint64_t limit) : limit_(limit) {
    try {
        thread_ = std::thread([this] { watch(); });
    } catch (const std::system_error&) {
        // No thread to be had.
    }
}

MemoryWatch::~MemoryWatch() {
    if (thread_.joinable()) {
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
        }
        ending_.notify_one();
        thread_.join();
    }
}

void MemoryWatch::watch() {
    const std::uint64_t most = std::max(limit_ + limit_ / 20, kProgram);
    std::unique_lock lock(mutex_);
    std::uint64_t taken = 0;
    while (!ending_.wait_for(lock, taken > most / 4 * 3 ? kShortInterval : kInterval,
                             [this] { return ended_; })) {
        taken = own_memory();
        if (taken > most) {
            const std::string text = "--memory " + format_size(limit_) +
                                     " is too little for this work: it takes " + format_size(taken) +
                                     " and more; give it more, or less to do";
            write_last_words(text.c_str());
            base::remove_temporaries_for_good();
            ::_exit(static_cast<int>(base::ExitCode::kUsage));
        }
    }
}

}  // namespace treeline::stage
