#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "learn/packed_rows.hpp"

namespace treeline::learn {

/// The partial-margin trie of Yoshinaga & Kitsuregawa (2010), section 3.2.1, over the rows of a training set:
/// a node for each distinct beginning x_j of a row, features going from frequent to rare, that remembers what
/// its last feature added to the margin and how many entries of that feature's postings this comprises. Only
/// features of rank `first_rank` or more have nodes. All nodes are laid out at construction; each row knows
/// its own, so that finding one is an addition.
class PartialMarginTrie {
  public:
    struct Node {
        double margin = 0;
        std::uint32_t seen = 0;
    };

    PartialMarginTrie() = default;
    PartialMarginTrie(const RowView& rows, std::uint32_t first_rank);

    /// The node of row `row` up to its feature `position`, whose rank is first_rank or more.
    Node& node(const RowView& rows, std::uint32_t row, std::size_t position) {
        return nodes_[node_of_[last_[row] - (rows.offsets[row + 1] - rows.offsets[row] - position)]];
    }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  private:
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> node_of_;  ///< of the tracked features of row 0, row 1, ...
    std::vector<std::uint64_t> last_;     ///< per row, the end of its part of node_of_
};

}  // namespace treeline::learn
