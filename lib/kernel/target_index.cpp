#include "kernel/target_index.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "tree/example_set.hpp"

namespace treeline::kernel {

using tree::Forest;
using tree::NodeId;

TargetIndex::TargetIndex(const Forest& forest, std::span<const NodeId> roots, Forest::Leaves leaves) {
    const auto counts = [&](NodeId node) { return leaves == Forest::Leaves::kWith || !forest.is_leaf(node); };

    // Reachable nodes, ascending: parents have larger ids than children, so one sweep downwards finds all.
    std::vector<NodeId> nodes;
    {
        std::vector<NodeId> pending;
        std::vector<bool> seen(forest.size());
        const auto reach = [&](NodeId node) {
            if (counts(node) && !seen[raw(node)]) {
                seen[raw(node)] = true;
                nodes.push_back(node);
                pending.push_back(node);
            }
        };
        for (const NodeId root : roots) {
            if (root != tree::kEmptyTree) {
                reach(root);
            }
            while (!pending.empty()) {
                const NodeId node = pending.back();
                pending.pop_back();
                std::ranges::for_each(forest.children(node), reach);
            }
        }
        std::ranges::sort(nodes);
    }
    const auto size = static_cast<std::uint32_t>(nodes.size());
    const auto local = [&](NodeId node) {
        return static_cast<std::uint32_t>(std::ranges::lower_bound(nodes, node) - nodes.begin());
    };

    // Children as local numbers, heights and arities.
    std::vector<std::size_t> children_begin(size + 1);
    std::vector<std::uint32_t> children;
    std::vector<std::uint32_t> height(size);
    for (std::uint32_t i = 0; i < size; ++i) {
        for (const NodeId child : forest.children(nodes[i])) {
            if (counts(child)) {
                children.push_back(local(child));
                height[i] = std::max(height[i], height[children.back()] + 1);
            }
        }
        children_begin[i + 1] = children.size();
    }
    const auto arity = [&](std::uint32_t i) { return static_cast<std::uint32_t>(children_begin[i + 1] - children_begin[i]); };

    std::vector<std::uint32_t> by_rank(size);
    std::iota(by_rank.begin(), by_rank.end(), 0U);
    std::vector<std::uint32_t> by_step = by_rank;
    std::ranges::sort(by_rank, {}, [&](std::uint32_t i) {
        return std::tuple(raw(forest.label(nodes[i])), raw(forest.production(nodes[i])), i);
    });
    std::ranges::sort(by_step, {}, [&](std::uint32_t i) { return std::tuple(height[i], arity(i), i); });
    std::vector<std::uint32_t> rank_of(size);
    std::vector<std::uint32_t> step_of(size);
    for (std::uint32_t i = 0; i < size; ++i) {
        rank_of[by_rank[i]] = i;
        step_of[by_step[i]] = i;
    }

    step_of_rank_.resize(size);
    nodes_by_rank_.resize(size);
    productions_.resize(size);
    column_begin_.resize(size);
    child_ranks_.reserve(children.size());
    const auto extend = [](std::vector<Run>& runs, std::uint32_t key, std::uint32_t rank) {
        if (key >= runs.size()) {
            runs.resize(key + 1);
        }
        if (runs[key].size++ == 0) {
            runs[key].begin = rank;
        }
    };
    for (std::uint32_t rank = 0; rank < size; ++rank) {
        const NodeId node = nodes[by_rank[rank]];
        step_of_rank_[rank] = step_of[by_rank[rank]];
        nodes_by_rank_[rank] = node;
        productions_[rank] = forest.production(node);
        extend(production_runs_, raw(forest.production(node)), rank);
        extend(label_runs_, raw(forest.label(node)), rank);
    }
    for (std::uint32_t rank = 0; rank < size;) {
        const Run run = production_run(productions_[rank]);
        column_begin_[rank] = child_ranks_.size();
        for (std::uint32_t c = 0; c < arity(by_rank[rank]); ++c) {
            for (std::uint32_t i = 0; i < run.size; ++i) {
                child_ranks_.push_back(rank_of[children[children_begin[by_rank[rank + i]] + c]]);
            }
        }
        rank += run.size;
    }

    step_children_.reserve(children.size());
    for (std::uint32_t step = 0; step < size; ++step) {
        const std::uint32_t i = by_step[step];
        if (arity(i) == 0) {
            continue;
        }
        const bool same_level = !stretches_.empty() && stretches_.back().end == step &&
                                height[by_step[step - 1]] == height[i] && stretches_.back().children == arity(i);
        if (!same_level) {
            stretches_.push_back({step, step, arity(i), step_children_.size()});
        }
        ++stretches_.back().end;
        for (std::size_t c = children_begin[i]; c < children_begin[i + 1]; ++c) {
            step_children_.push_back(step_of[children[c]]);
        }
    }

    root_steps_.reserve(roots.size());
    for (const NodeId root : roots) {
        root_steps_.push_back(root != tree::kEmptyTree && counts(root) ? step_of[local(root)] : kNoStep);
    }
}

std::size_t TargetIndex::bytes() const {
    return (step_of_rank_.capacity() + nodes_by_rank_.capacity() + productions_.capacity() + child_ranks_.capacity() +
            step_children_.capacity() + root_steps_.capacity()) *
               sizeof(std::uint32_t) +
           (production_runs_.capacity() + label_runs_.capacity()) * sizeof(Run) +
           column_begin_.capacity() * sizeof(std::size_t) + stretches_.capacity() * sizeof(Stretch);
}

}  // namespace treeline::kernel
