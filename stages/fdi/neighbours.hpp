#pragma once

#include <cstdint>
#include <vector>

#include "fragment/score.hpp"

namespace treeline::fdi {

/// The fragments of a list that are one step away from each: `smaller` have one production less, at the bottom or at the root (of ptk and
/// uptk: one node less), `larger` one more. Numbers are positions in the list, ascending.
struct Neighbours {
    std::vector<std::vector<std::uint32_t>> smaller;
    std::vector<std::vector<std::uint32_t>> larger;
};

/// `partial`: fragments of ptk or uptk. Fragments are compared node by node. Time and memory grow with the nodes of all fragments.
[[nodiscard]] Neighbours find_neighbours(const fragment::FragmentList& fragments, bool partial);

}  // namespace treeline::fdi
