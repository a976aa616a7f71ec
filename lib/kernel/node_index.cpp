#include "kernel/node_index.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "example/example_set.hpp"

namespace treeline::kernel {

using tree::Forest;
using tree::NodeId;

namespace {

/// Ranks of nodes while the index is made: by a table over the forest where the nodes are a good share of it, else by search.
class RankTable {
  public:
    RankTable(const Forest& forest, const NodeIndex& index) : index_(&index) {
        constexpr std::size_t kShare = 8;
        if (index.size() * kShare >= forest.size()) {
            ranks_.resize(forest.size());
            for (NodeIndex::Rank rank = 0; rank < index.size(); ++rank) {
                ranks_[raw(index.node(rank))] = rank;
            }
        }
    }
    /// Of a node that is in the index.
    [[nodiscard]] NodeIndex::Rank operator()(NodeId node) const {
        return ranks_.empty() ? index_->find(node) : ranks_[raw(node)];
    }

  private:
    const NodeIndex* index_;
    std::vector<NodeIndex::Rank> ranks_;
};

}  // namespace

NodeIndex::NodeIndex(const Forest& forest, std::span<const NodeId> roots, const TreeKernel& kernel) {
    find_nodes(forest, roots, kernel.family());
    find_children(forest, kernel.family());
    find_runs(forest);
}

void NodeIndex::find_nodes(const Forest& forest, std::span<const NodeId> roots, const KernelFamily& family) {
    std::vector<NodeId> pending;
    std::vector<bool> seen(forest.size());
    const auto reach = [&](NodeId node) {
        if (family.takes_part(forest, node) && !seen[raw(node)]) {
            seen[raw(node)] = true;
            nodes_.push_back(node);
            pending.push_back(node);
        }
    };
    for (const NodeId root : roots) {
        if (root != example::kEmptyTree) {
            reach(root);
        }
        while (!pending.empty()) {
            const NodeId node = pending.back();
            pending.pop_back();
            std::ranges::for_each(forest.children(node), reach);
        }
    }
    std::ranges::sort(nodes_, {}, [&](NodeId node) {
        return std::tuple(raw(forest.label(node)), raw(forest.production(node)), raw(node));
    });
    ascending_.resize(nodes_.size());
    std::iota(ascending_.begin(), ascending_.end(), Rank{0});
    std::ranges::sort(ascending_, {}, [&](Rank rank) { return nodes_[rank]; });
}

void NodeIndex::find_children(const Forest& forest, const KernelFamily& family) {
    const RankTable rank_of(forest, *this);
    children_begin_.reserve(size() + 1);
    children_begin_.push_back(0);
    if (family.leaves_stand_alone()) {
        lone_begin_.reserve(size() + 1);
        lone_begin_.push_back(0);
    }
    for (const NodeId node : nodes_) {
        for (const NodeId child : forest.children(node)) {
            if (family.matches_by_label() || !forest.is_leaf(child)) {
                children_.push_back(rank_of(child));
            } else if (family.leaves_stand_alone()) {
                lone_.push_back(rank_of(child));
            }
        }
        children_begin_.push_back(children_.size());
        if (family.leaves_stand_alone()) {
            lone_begin_.push_back(lone_.size());
        }
    }
}

void NodeIndex::find_runs(const Forest& forest) {
    const auto runs_of = [this](auto key) {
        std::vector<Run> runs;
        for (Rank rank = 0; rank < size(); ++rank) {
            if (rank == 0 || key(nodes_[rank - 1]) != key(nodes_[rank])) {
                runs.push_back({rank, rank});
            }
            runs.back().end = rank + 1;
        }
        return runs;
    };
    production_runs_ = runs_of([&](NodeId node) { return forest.production(node); });
    label_runs_ = runs_of([&](NodeId node) { return forest.label(node); });
}

NodeIndex::Rank NodeIndex::find(NodeId node) const {
    const auto found =
        std::ranges::lower_bound(ascending_, node, {}, [this](Rank rank) { return nodes_[rank]; });
    return found != ascending_.end() && nodes_[*found] == node ? *found : kNoRank;
}

std::size_t NodeIndex::bytes() const {
    return nodes_.capacity() * sizeof(NodeId) +
           (ascending_.capacity() + children_.capacity() + lone_.capacity()) * sizeof(Rank) +
           (children_begin_.capacity() + lone_begin_.capacity()) * sizeof(std::size_t) +
           (production_runs_.capacity() + label_runs_.capacity()) * sizeof(Run);
}

}  // namespace treeline::kernel
