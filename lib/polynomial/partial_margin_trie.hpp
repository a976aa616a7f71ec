#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "polynomial/packed_rows.hpp"

namespace treeline::polynomial {

/// The partial-margin trie of Yoshinaga & Kitsuregawa (2010), section 3.2.1, over the rows of a training set:
/// a node for each distinct beginning x_j of a row, features going from frequent to rare, that remembers what
/// its last feature added to the margin and how many entries of that feature's postings this comprises. Only
/// features of rank `first_rank` or more have nodes.
///
/// The first of the rows that share a beginning owns its node, and the others know that row, so that edges
/// need no table. A row's own nodes are made when the first of them is visited: margins that are left early
/// visit few.
class PartialMarginTrie {
  public:
    struct [[gnu::packed]] Node {
        double margin = 0;
        std::uint32_t seen = 0;
    };

    PartialMarginTrie() = default;
    PartialMarginTrie(const RowView& rows, std::uint32_t first_rank);

    /// The node of row `row` up to its feature `position`, whose rank is first_rank or more.
    Node& node(const RowView& rows, std::uint32_t row, std::size_t position) {
        while (position < branches_[row].own_from) {
            row = branches_[row].parent;
        }
        Branch& branch = branches_[row];
        if (branch.first == kNone) {
            branch.first = made_;
            make(rows.offsets[row + 1] - rows.offsets[row] - branch.own_from);
        }
        const std::size_t number = branch.first + (position - branch.own_from);
        return pieces_[number / kPiece][number % kPiece];
    }
    /// Number of nodes.
    [[nodiscard]] std::size_t size() const { return made_; }

  private:
    static constexpr std::uint32_t kNone = 0xffffffff;
    static constexpr std::size_t kPiece = 1 << 14;

    /// A row as a branch that leaves its parent.
    struct Branch {
        std::uint32_t own_from = 0;    ///< position of the first feature whose node is not the parent's
        std::uint32_t parent = kNone;  ///< a row
        std::uint32_t first = kNone;   ///< of the own nodes, once they are made
    };

    void make(std::size_t count);

    std::vector<Branch> branches_;  ///< by row
    std::vector<std::unique_ptr<Node[]>> pieces_;
    std::uint32_t made_ = 0;
};

}  // namespace treeline::polynomial
