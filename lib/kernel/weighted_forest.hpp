#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/delta_rows.hpp"
#include "kernel/description.hpp"
#include "kernel/target_index.hpp"
#include "tree/forest.hpp"

namespace treeline::kernel {

/// A weighted sum of trees as one weight per distinct node: W[b] = sum_i c_i count_i(b) / ||t_i||. The value
/// of a tree x, sum_i c_i K(x, t_i), is then sum over a in x, b of count(a) W[b] D(a, b): its cost follows
/// the distinct nodes, not the trees. Immutable; thread-safe, with an Evaluator per thread.
class WeightedForest {
  public:
    /// `roots` distinct (or example::kEmptyTree), `coefficients` with the inverse norms of the trees multiplied
    /// in.
    WeightedForest(const tree::Forest& forest, std::span<const tree::NodeId> roots,
                   std::span<const double> coefficients, const TreeKernel& kernel);

    /// Evaluates trees, keeping what it found for their subtrees as long as there is room: trees that share
    /// subtrees are evaluated for what is different. Not thread-safe, one per thread; the values do not
    /// depend on what was kept.
    class Evaluator {
      public:
        explicit Evaluator(const WeightedForest& weighted);
        /// sum_i c_i K(x, t_i), K not normalized for x: multiply by its inverse norm.
        [[nodiscard]] double value(tree::NodeId x);

      private:
        void add(tree::NodeId a);

        const WeightedForest* weighted_;
        DeltaRows<double> deltas_;
        std::vector<double> totals_;  // by number of row: the value of the subtree
        std::vector<tree::NodeId> missing_;
    };

    [[nodiscard]] std::size_t node_count() const { return index_.size(); }
    [[nodiscard]] const TargetIndex& index() const { return index_; }
    /// W by rank of the index.
    [[nodiscard]] std::span<const double> weights() const { return weights_; }

  private:
    const tree::Forest* forest_;
    TreeKernel kernel_;
    TargetIndex index_;
    std::vector<double> weights_;
};

}  // namespace treeline::kernel
