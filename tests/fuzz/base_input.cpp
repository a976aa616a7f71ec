/// Arbitrary bytes as a plain, gzip or zstd file: they are read to the end or refused with InputError, and
/// the lines put together again are the content.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/input.hpp"

namespace {

using namespace treeline::base;

constexpr std::uint64_t kLimit = std::uint64_t{1} << 24;

void check_lines(const std::string& path, const std::string& content) {
    LineReader reader(path);
    std::size_t at = content.starts_with("\xef\xbb\xbf") ? 3 : 0;
    for (std::string_view line; reader.next(line);) {
        if (content.compare(at, line.size(), line) != 0) {
            std::abort();
        }
        at += line.size();
        at += content.compare(at, 2, "\r\n") == 0 ? 2 : content.compare(at, 1, "\n") == 0 ? 1 : 0;
    }
    if (at != content.size()) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const int file = ::memfd_create("input", 0);
    if (file < 0 || ::write(file, data, size) != static_cast<ssize_t>(size)) {
        std::abort();
    }
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    try {
        check_lines(path, read_whole_file(path, kLimit));
    } catch (const InputError&) {
    }
    ::close(file);
    return 0;
}
