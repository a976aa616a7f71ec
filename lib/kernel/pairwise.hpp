#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/description.hpp"
#include "tree/forest.hpp"

namespace treeline::kernel {

/// A tree prepared for pairwise evaluation: its distinct nodes, children first, and the same nodes sorted by
/// what they match on (KernelFamily::key).
struct PairwiseTree {
    tree::TreeNodes nodes;
    struct Key {
        std::uint32_t key;   ///< production or label
        std::uint32_t node;  ///< position in nodes
    };
    std::vector<Key> sorted;              ///< by (key, node)
    std::vector<std::uint32_t> keys;      ///< by position in nodes
    std::vector<std::uint32_t> position;  ///< in sorted, by position in nodes
};

/// The fast tree kernel of Moschitti 2006 (FTK): two trees are compared by merging their sorted node lists,
/// so only pairs that match are evaluated; children come first, so nothing recurses. Works on distinct nodes
/// with counts. Not normalized. Keeps work space; not thread-safe, one per thread.
class PairwiseEvaluator {
  public:
    PairwiseEvaluator(const tree::Forest& forest, const TreeKernel& kernel);

    void prepare(tree::NodeId root, PairwiseTree& out) const;
    [[nodiscard]] double value(const PairwiseTree& x, const PairwiseTree& y);
    /// K(x, x) of a tree of the forest.
    [[nodiscard]] double self_value(tree::NodeId root);

  private:
    void merge(const PairwiseTree& x, const PairwiseTree& y);
    [[nodiscard]] double production_delta(const PairwiseTree& x, std::size_t a, const PairwiseTree& y,
                                          std::size_t b) const;
    [[nodiscard]] double label_delta(const PairwiseTree& x, std::size_t a, const PairwiseTree& y,
                                     std::size_t b);

    /// The run of y.sorted that matches a node of x, and where the values of these pairs start in deltas_.
    struct Matches {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::size_t deltas = 0;
    };
    /// D, less kernel_.single_node(), of a pair whose keys are equal and that has been evaluated.
    [[nodiscard]] double delta(std::size_t a, const PairwiseTree& y, std::size_t b) const {
        return deltas_[matches_[a].deltas + (y.position[b] - matches_[a].begin)];
    }

    const tree::Forest* forest_;
    TreeKernel kernel_;
    tree::Forest::Leaves leaves_;
    std::vector<Matches> matches_;
    std::vector<double> deltas_;
    std::vector<double> decayed_;
    PairwiseTree self_;
};

/// A kernel value as it is; throws base::Error where it is too large for a double: a larger tree than lambda
/// and mu allow.
[[nodiscard]] double require_finite(double value, const TreeKernel& kernel);

}  // namespace treeline::kernel
