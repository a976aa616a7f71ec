/// Arbitrary bytes as a file of examples, in the format that its first line tells and as a treebank: with bad
/// ones skipped it is read to its end, and the first of them is the one that stops a reading that does not
/// skip. Places lie within the file.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "example/example_set.hpp"
#include "support/memory_file.hpp"

namespace {

using namespace treeline::tree;
using namespace treeline::example;

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

void check(const std::string& path, ExampleFormat format, std::uint64_t lines) {
    Forest forest;
    ExampleSet set;
    ReadReport report;
    try {
        report = read_examples(
            path, {.format = format, .records = {.on_error = treeline::base::OnError::kSkip}}, forest, set);
    } catch (const treeline::base::InputError&) {
        return;  // a broken compressed stream
    }
    require(report.examples == set.size() && report.bad.skipped() >= report.bad.messages().size());
    ExampleReader reader(path, {.format = format});
    std::uint64_t before = 0;
    try {
        for (Example example; reader.next(example); ++before) {
            require(reader.place().line <= lines);
        }
        require(report.bad.skipped() == 0 && before == report.examples);
    } catch (const treeline::base::InputError& error) {
        require(report.bad.skipped() > 0 && before <= report.examples &&
                error.what() == report.bad.messages().front());
        require(error.place().line >= 1 && error.place().line <= lines && error.place().column >= 1);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size > 0 && data[0] >= 0x1f && data[0] <= 0x5f && size > 1 && data[1] > 0x7f) {
        return 0;  // compressed streams have a target of their own
    }
    const treeline::test::MemoryFile file(data, size);
    const auto lines = 1 + static_cast<std::uint64_t>(std::count(data, data + size, '\n'));
    check(file.path(), ExampleFormat::kAuto, lines);
    check(file.path(), ExampleFormat::kTreebank, lines);
    return 0;
}
