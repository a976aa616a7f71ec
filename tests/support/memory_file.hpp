#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace treeline::test {

/// Bytes that can be opened by a path, without a disk.
class MemoryFile {
  public:
    MemoryFile(const std::uint8_t* bytes, std::size_t size) {
        if (number_ < 0 || ::write(number_, bytes, size) != static_cast<ssize_t>(size)) {
            std::abort();
        }
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() { ::close(number_); }

    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }

  private:
    int number_ = ::memfd_create("treeline-test", 0);
};

}  // namespace treeline::test
