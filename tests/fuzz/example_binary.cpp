/// Arbitrary bytes as lines of binary features: each is refused with a place within it, or gives ascending
/// features. Ends with the eighth refused line: an exception takes longer than a line, and the lines know nothing of each other.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "example/binary_example.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace treeline;
    std::string_view text(reinterpret_cast<const char*>(data), size);
    example::BinaryExample example;
    for (int refused = 0; refused < 8 && !text.empty();) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        for (const bool binarize : {false, true}) {
            try {
                example::parse_binary_line(line, binarize, example);
                if (!std::is_sorted(example.features.begin(), example.features.end(), std::less_equal<>())) {
                    std::abort();
                }
            } catch (const base::SyntaxError& error) {
                ++refused;
                if (error.offset() > line.size()) {
                    std::abort();
                }
            }
        }
    }
    return 0;
}
