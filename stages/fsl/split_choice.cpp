#include "fsl/split_choice.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

namespace treeline::fsl {

SplitChoice parse_split(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto number = base::parse_unsigned(text.substr(0, slash));
    const auto count =
        slash == std::string_view::npos ? std::nullopt : base::parse_unsigned(text.substr(slash + 1));
    if (!number || !count || *number < 1 || *number > *count) {
        throw base::UsageError("--split " + base::quoted(text) +
                               ": expected I/S with I from 1 to S, such as 3/10");
    }
    return {*number, *count};
}

}  // namespace treeline::fsl
