#pragma once

#include <cstdint>

#include "fragment/fragment.hpp"

namespace treeline::fragment {

/// Rounds in which Algorithm 3.1 of Pighin & Moschitti 2009 makes a fragment: from its root with its
/// children, each round expands at most `width` open nodes. Taking the nodes with the longest way down first
/// needs the fewest rounds (Hu 1961). What is grown from a fragment needs at least as many.
[[nodiscard]] std::uint32_t expansion_rounds(FragmentView fragment, std::uint32_t width);

}  // namespace treeline::fragment
