#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/description.hpp"
#include "tree/forest.hpp"

namespace treeline::fragment {

/// A kernel model as a miner sees it: its distinct nodes, numbered by rank so that the nodes of one
/// production (and of one label) are a run, each with W[b] = sum_i c_i count_i(b) / ||t_i||, c_i = alpha_i
/// y_i. Reading is thread-safe. Give each model a forest of its own: ranks, and with them the last bits of
/// sums, follow the forest's numbering.
class MiningSpace {
  public:
    /// `roots` may repeat (coefficients add up) and may be example::kEmptyTree.
    MiningSpace(const tree::Forest& forest, const kernel::TreeKernel& kernel,
                std::span<const tree::NodeId> roots, std::span<const double> coefficients);

    /// The same trees with other coefficients: one for each of roots(). Counts stay as they are.
    void set_coefficients(std::span<const double> coefficients);
    /// The distinct trees, in order of first appearance, and 1/||t|| of each (1 where the kernel is not
    /// normalized).
    [[nodiscard]] std::span<const tree::NodeId> roots() const { return roots_; }
    [[nodiscard]] double inverse_norm(std::size_t root) const { return norms_.empty() ? 1 : norms_[root]; }

    [[nodiscard]] const tree::Forest& forest() const { return *forest_; }
    [[nodiscard]] const kernel::TreeKernel& kernel() const { return kernel_; }

    using Rank = std::uint32_t;
    [[nodiscard]] std::size_t size() const { return weights_.size(); }
    static constexpr Rank kNoRank = 0xffffffffU;
    [[nodiscard]] tree::NodeId node(Rank rank) const { return nodes_[rank]; }
    /// kNoRank for nodes that take no part.
    [[nodiscard]] Rank rank(tree::NodeId node) const { return rank_of_[raw(node)]; }
    [[nodiscard]] double weight(Rank rank) const { return weights_[rank]; }
    /// Occurrences of the node in the trees of the model, a repeated tree counted as often as it was given.
    [[nodiscard]] std::uint64_t count(Rank rank) const { return counts_[rank]; }
    [[nodiscard]] tree::ProductionId production(Rank rank) const { return forest_->production(nodes_[rank]); }
    [[nodiscard]] tree::SymbolId label(Rank rank) const { return forest_->label(nodes_[rank]); }
    /// Children by rank, left to right; leaves among them for ptk and uptk only: elsewhere nothing grows
    /// below a child that is a leaf.
    [[nodiscard]] std::span<const Rank> children(Rank rank) const {
        return {children_.data() + children_begin_[rank], children_begin_[rank + 1] - children_begin_[rank]};
    }

    /// Runs of ranks that share a production, or a label.
    struct Run {
        Rank begin;
        Rank end;
    };
    [[nodiscard]] std::span<const Run> production_runs() const { return production_runs_; }
    [[nodiscard]] std::span<const Run> label_runs() const { return label_runs_; }

    /// ||w||^2 = sum_ij c_i c_j K(t_i, t_j), with the kernel's normalization; parallel.
    [[nodiscard]] double squared_norm() const;

    [[nodiscard]] std::size_t bytes() const;

  private:
    /// Values of trees, added up at every node by occurrence: parents before children.
    template <typename T>
    void flow_down(std::span<const T> at_roots, std::vector<T>& by_rank) const;

    const tree::Forest* forest_;
    kernel::TreeKernel kernel_;
    std::vector<tree::NodeId> roots_;   // distinct, in order of first appearance
    std::vector<double> norms_;         // inverse; empty = all 1
    std::vector<double> coefficients_;  // of each, divided by its norm
    std::vector<tree::NodeId> nodes_;
    std::vector<Rank> rank_of_;     // by node
    std::vector<Rank> descending_;  // by number of the node
    std::vector<double> weights_;
    std::vector<std::uint64_t> counts_;
    std::vector<std::size_t> children_begin_;
    std::vector<Rank> children_;
    std::vector<Run> production_runs_;
    std::vector<Run> label_runs_;
};

}  // namespace treeline::fragment
