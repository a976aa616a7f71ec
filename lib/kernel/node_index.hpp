#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/description.hpp"
#include "tree/forest.hpp"

namespace treeline::kernel {

/// The distinct nodes of a set of trees that take part in a kernel, each once: what rows and passes (TargetIndex) and miners
/// (fragment::MiningSpace) are laid out over.
///
/// By *rank* the nodes are sorted by (label, production, id), so that those which share a production, and those which share a
/// label, are runs. Leaves take part where the kernel uses them. The forest may grow afterwards: the index keeps to the
/// nodes it was built from. Immutable; thread-safe.
class NodeIndex {
  public:
    using Rank = std::uint32_t;
    static constexpr Rank kNoRank = 0xffffffffU;

    /// `roots` are trees of `forest`, repeated or not, or example::kEmptyTree.
    NodeIndex(const tree::Forest& forest, std::span<const tree::NodeId> roots, const TreeKernel& kernel);

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    /// By rank.
    [[nodiscard]] std::span<const tree::NodeId> nodes() const { return nodes_; }
    [[nodiscard]] tree::NodeId node(Rank rank) const { return nodes_[rank]; }
    /// The ranks ordered by the nodes' ids: children come before parents.
    [[nodiscard]] std::span<const Rank> ascending() const { return ascending_; }
    /// kNoRank for example::kEmptyTree and nodes that take no part. Cost: a binary search.
    [[nodiscard]] Rank find(tree::NodeId node) const;

    /// The children that are compared below a pair of nodes, left to right: all of them where nodes match by label, without
    /// the leaves where a production says everything about them.
    [[nodiscard]] std::span<const Rank> children(Rank rank) const {
        return {children_.data() + children_begin_[rank], children_begin_[rank + 1] - children_begin_[rank]};
    }
    /// The other children that take part: leaves that count by themselves only (KernelFamily::leaves_stand_alone()).
    [[nodiscard]] std::span<const Rank> lone_leaves(Rank rank) const {
        return lone_begin_.empty()
                   ? std::span<const Rank>{}
                   : std::span(lone_).subspan(lone_begin_[rank], lone_begin_[rank + 1] - lone_begin_[rank]);
    }

    /// Ranks from begin up to, not including, end.
    struct Run {
        Rank begin;
        Rank end;
    };
    /// The runs of ranks that share a production, or a label; ascending.
    [[nodiscard]] std::span<const Run> production_runs() const { return production_runs_; }
    [[nodiscard]] std::span<const Run> label_runs() const { return label_runs_; }

    [[nodiscard]] std::size_t bytes() const;

  private:
    void find_nodes(const tree::Forest& forest, std::span<const tree::NodeId> roots,
                    const KernelFamily& family);
    void find_children(const tree::Forest& forest, const KernelFamily& family);
    void find_runs(const tree::Forest& forest);

    std::vector<tree::NodeId> nodes_;
    std::vector<Rank> ascending_;
    std::vector<std::size_t> children_begin_;
    std::vector<Rank> children_;
    std::vector<std::size_t> lone_begin_;  // empty where no leaf counts by itself
    std::vector<Rank> lone_;
    std::vector<Run> production_runs_;
    std::vector<Run> label_runs_;
};

}  // namespace treeline::kernel
