#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fragment/matcher_index.hpp"
#include "fragment/tree_norm.hpp"
#include "tree/forest.hpp"
#include "tree/tree_text.hpp"

namespace treeline::fragment {

/// A fragment found in a tree, and phi_f(t) of it: number of occurrences times occurrence_value(); for ptk
/// and uptk the sum of what its occurrences are worth, gaps decayed. Not normalized.
struct Match {
    std::uint32_t fragment = 0;
    double value = 0;
    bool operator==(const Match&) const = default;
};

/// Finds the fragments of a MatcherIndex in trees. What is rooted at a node depends on the subtree alone, so
/// it is looked for once per distinct subtree, and kept as long as there is room: subtrees live in a forest
/// of its own that is emptied when it has grown past a limit. The result does not depend on what is kept.
/// Nothing recurses. Not thread-safe, one per thread.
class Matcher {
  public:
    /// About what processors keep close: neighbouring trees share subtrees, and looking further costs more
    /// than it saves.
    static constexpr std::size_t kCacheBytes = std::size_t{8} << 20;

    /// `index` must outlive it.
    explicit Matcher(const MatcherIndex& index, std::size_t cache_bytes = kCacheBytes);
    Matcher(const Matcher&) = delete;
    Matcher& operator=(const Matcher&) = delete;

    /// The fragments of `tree`, ascending by number.
    void match(const tree::TreeText& tree, std::vector<Match>& out);
    /// K(t, t) of the tree matched last; 0 for the empty tree.
    [[nodiscard]] double self_kernel() { return norm_.self_kernel(nodes_); }

    [[nodiscard]] std::size_t bytes() const;

  private:
    static constexpr std::uint32_t kNone = MatcherIndex::kNone;

    void add(const tree::TreeText& tree);
    void empty();
    void learn_production(tree::ProductionId production);
    [[nodiscard]] std::uint32_t index_symbol(tree::SymbolId symbol);
    [[nodiscard]] std::uint32_t index_production(tree::NodeId node) const {
        return productions_[raw(forest_.production(node))];
    }
    void find_rooted(tree::NodeId node);
    [[nodiscard]] std::uint32_t open_children(tree::NodeId node, std::uint32_t rest);
    void find_parts(tree::NodeId node);
    void extend_parts(std::uint32_t state, std::size_t row, std::span<const tree::NodeId> children);

    void collect_counts(std::vector<Match>& out);
    void collect_sums(std::vector<Match>& out);

    const MatcherIndex* index_;
    std::size_t cache_bytes_;
    tree::Forest forest_;
    TreeNorm norm_;
    std::vector<std::uint32_t> symbols_;      // of forest_, to those of the index
    std::vector<std::uint32_t> productions_;  // likewise

    std::vector<std::size_t> begin_{0};  // by node: where its fragments (or parts) start
    std::vector<std::uint32_t> found_;   // fragments rooted at a node, or parts
    std::vector<double> part_values_;    // of each part

    std::vector<tree::NodeId> nodes_;  // of the tree at hand, in post-order
    std::vector<tree::NodeId> open_;
    std::vector<std::uint32_t> all_;  // work space of collecting
    std::vector<Match> sums_;

    /// Open nodes of a beginning, as a list that beginnings share.
    struct OpenNode {
        tree::NodeId node;
        std::uint32_t next;
    };
    std::vector<OpenNode> frontier_;
    struct Walk {
        std::uint32_t state;
        std::uint32_t frontier;
    };
    std::vector<Walk> walks_;

    /// A state of a partial match and the row of its embeddings by the child that they end at.
    struct Row {
        std::uint32_t state;
        std::size_t begin;
    };
    std::vector<Row> rows_;
    std::vector<double> row_values_;
    std::vector<std::size_t> row_of_state_;
};

}  // namespace treeline::fragment
