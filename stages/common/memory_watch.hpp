#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace treeline::stage {

/// Ends the process, with a message and exit code 2, where it takes more memory than it was given: what no estimate has
/// foreseen (a line without end, a compressed file that unpacks to terabytes) must not take the machine. Temporary files are
/// removed. Only memory of its own counts, not files that are mapped; a twentieth is allowed on top, and below 64 MB anything. Looks every few milliseconds, in a thread of its own; without one there is no watch.
class MemoryWatch {
  public:
    explicit MemoryWatch(std::uint64_t limit);
    MemoryWatch(const MemoryWatch&) = delete;
    MemoryWatch& operator=(const MemoryWatch&) = delete;
    ~MemoryWatch();

  private:
    void watch();

    std::uint64_t limit_;
    std::mutex mutex_;
    std::condition_variable ending_;
    bool ended_ = false;
    std::thread thread_;
};

}  // namespace treeline::stage
