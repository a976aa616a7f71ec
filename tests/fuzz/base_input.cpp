/// Arbitrary bytes as a plain, gzip or zstd file: they are read to the end or refused with InputError, and
/// the lines put together again are the content.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/input.hpp"
#include "support/memory_file.hpp"

namespace {

using namespace treeline::base;

constexpr std::uint64_t kLimit = std::uint64_t{1} << 20;

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
    const treeline::test::MemoryFile file(data, size);
    try {
        check_lines(file.path(), read_whole_file(file.path(), kLimit));
    } catch (const InputError&) {
    }
    return 0;
}
