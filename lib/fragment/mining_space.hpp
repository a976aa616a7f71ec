#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/description.hpp"
#include "kernel/node_index.hpp"
#include "tree/forest.hpp"

namespace treeline::fragment {

/// A kernel model as a miner sees it: the distinct nodes of its trees (kernel::NodeIndex), each with W[b] = sum_i c_i count_i(b) / ||t_i||, c_i = alpha_i
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

    using Rank = kernel::NodeIndex::Rank;
    static constexpr Rank kNoRank = kernel::NodeIndex::kNoRank;
    using Run = kernel::NodeIndex::Run;
    [[nodiscard]] const kernel::NodeIndex& nodes() const { return nodes_; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] tree::NodeId node(Rank rank) const { return nodes_.node(rank); }
    [[nodiscard]] double weight(Rank rank) const { return weights_[rank]; }
    /// Occurrences of the node in the trees of the model, a repeated tree counted as often as it was given.
    [[nodiscard]] std::uint64_t count(Rank rank) const { return counts_[rank]; }
    [[nodiscard]] tree::ProductionId production(Rank rank) const { return forest_->production(node(rank)); }
    [[nodiscard]] tree::SymbolId label(Rank rank) const { return forest_->label(node(rank)); }
    /// The children below which something can grow, by rank, left to right.
    [[nodiscard]] std::span<const Rank> children(Rank rank) const { return nodes_.children(rank); }
    [[nodiscard]] std::span<const Run> production_runs() const { return nodes_.production_runs(); }
    [[nodiscard]] std::span<const Run> label_runs() const { return nodes_.label_runs(); }

    /// ||w||^2 = sum_ij c_i c_j K(t_i, t_j), with the kernel's normalization; parallel.
    [[nodiscard]] double squared_norm() const;

    [[nodiscard]] std::size_t bytes() const;

  private:
    /// Values of trees, added up at every node by occurrence: parents before children.
    template <typename T>
    void flow_down(std::span<const T> at_roots, std::vector<T>& by_rank) const;

    /// The trees given, each once.
    struct Trees {
        std::vector<tree::NodeId> roots;  ///< in order of first appearance
        std::vector<double> coefficients;
        std::vector<std::uint64_t> repeats;
    };
    [[nodiscard]] static Trees distinct(std::span<const tree::NodeId> roots,
                                        std::span<const double> coefficients);
    MiningSpace(const tree::Forest& forest, const kernel::TreeKernel& kernel, Trees trees);

    const tree::Forest* forest_;
    kernel::TreeKernel kernel_;
    std::vector<tree::NodeId> roots_;   // distinct
    std::vector<double> norms_;         // inverse; empty = all 1
    std::vector<double> coefficients_;  // of each, divided by its norm
    kernel::NodeIndex nodes_;
    std::vector<double> weights_;  // by rank
    std::vector<std::uint64_t> counts_;
};

}  // namespace treeline::fragment
