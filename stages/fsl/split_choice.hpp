#pragma once

#include <cstddef>
#include <string_view>

namespace treeline::fsl {

/// "3/10".
struct SplitChoice {
    std::size_t number = 0;  ///< from 1; 0 = all of them
    std::size_t count = 0;
};
/// Throws UsageError.
[[nodiscard]] SplitChoice parse_split(std::string_view text);

}  // namespace treeline::fsl
