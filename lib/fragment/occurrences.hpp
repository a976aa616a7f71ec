#pragma once

#include <cstdint>
#include <vector>

#include "fragment/fragment.hpp"
#include "kernel/description.hpp"
#include "tree/symbols.hpp"
#include "tree/tree_text.hpp"

namespace treeline::fragment {

/// Positions in `tree.nodes` (post-order, from 0), ascending, of the nodes that some occurrence of the fragment
/// covers; none where it does not occur. What an occurrence is depends on the kernel. st, sst and their bow
/// forms: each node with children stands on one with the same production, an open node on any inner node of
/// its label, a leaf on a leaf. ptk, uptk: an embedding; each node stands on one of the same label, its children, in
/// order, on some of that node's children. `symbols` are those of the fragment's labels. Nothing recurses.
/// Cost: nodes of the fragment times nodes of the tree, labels compared as text.
[[nodiscard]] std::vector<std::uint32_t> covered_nodes(FragmentView fragment,
                                                       const tree::SymbolTable& symbols,
                                                       const tree::TreeText& tree,
                                                       const kernel::TreeKernel& kernel);

}  // namespace treeline::fragment
