#include "kernel/target_index.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "example/example_set.hpp"

namespace treeline::kernel {

using tree::Forest;
using tree::NodeId;

namespace {

std::uint64_t child_key(tree::SymbolId label, tree::SymbolId child) {
    return std::uint64_t{raw(label)} << 32U | raw(child);
}

}  // namespace

TargetIndex::TargetIndex(const Forest& forest, std::span<const NodeId> roots, const TreeKernel& kernel) {
    const auto counts = [&](NodeId node) { return kernel.uses_leaves() || !forest.is_leaf(node); };

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
            if (root != example::kEmptyTree) {
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

    // Children as local numbers.
    std::vector<std::size_t> children_begin(size + 1);
    std::vector<std::uint32_t> children;
    for (std::uint32_t i = 0; i < size; ++i) {
        for (const NodeId child : forest.children(nodes[i])) {
            if (counts(child)) {
                children.push_back(local(child));
            }
        }
        children_begin[i + 1] = children.size();
    }
    const auto children_of = [&](std::uint32_t i) {
        return std::span(children).subspan(children_begin[i], children_begin[i + 1] - children_begin[i]);
    };

    std::vector<std::uint32_t> by_rank(size);
    std::iota(by_rank.begin(), by_rank.end(), 0U);
    std::ranges::sort(by_rank, {}, [&](std::uint32_t i) {
        return std::tuple(raw(forest.label(nodes[i])), raw(forest.production(nodes[i])), i);
    });
    std::vector<std::uint32_t> rank_of(size);
    nodes_by_rank_.resize(size);
    productions_.resize(size);
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
        rank_of[by_rank[rank]] = rank;
        nodes_by_rank_[rank] = node;
        productions_[rank] = forest.production(node);
        extend(production_runs_, raw(forest.production(node)), rank);
        extend(label_runs_, raw(forest.label(node)), rank);
    }
    column_begin_.resize(size);
    child_ranks_.reserve(children.size());
    for (std::uint32_t rank = 0; rank < size;) {
        const Run run = production_run(productions_[rank]);
        column_begin_[rank] = child_ranks_.size();
        for (std::size_t c = 0; c < children_of(by_rank[rank]).size(); ++c) {
            for (std::uint32_t i = 0; i < run.size; ++i) {
                child_ranks_.push_back(rank_of[children_of(by_rank[rank + i])[c]]);
            }
        }
        rank += run.size;
    }

    if (kernel.is_partial()) {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> links;
        for (std::uint32_t rank = 0; rank < size; rank += production_run(productions_[rank]).size) {
            for (const auto& child : forest.production_children(productions_[rank])) {
                links.emplace_back(child_key(forest.production_label(productions_[rank]), child.label), rank);
            }
        }
        std::ranges::sort(links);
        links.erase(std::unique(links.begin(), links.end()), links.end());
        for (const auto& [key, rank] : links) {
            child_keys_.push_back(key);
            child_productions_.push_back(rank);
        }
    }

    // Steps. A bottom node has nothing below it here.
    const auto is_bottom = [&](std::uint32_t i) { return children_of(i).empty(); };
    std::vector<std::uint32_t> parent_count(size);
    for (const std::uint32_t child : children) {
        ++parent_count[child];
    }
    std::vector<bool> is_root(size);
    for (const NodeId root : roots) {
        if (root != example::kEmptyTree && counts(root)) {
            is_root[local(root)] = true;
        }
    }
    const auto has_step = [&](std::uint32_t i) {
        return is_root[i] || (parent_count[i] > 1 && !is_bottom(i));
    };
    // owner: the node at whose step a node counts. Parents have larger numbers, so owners are known before
    // they are asked for.
    constexpr std::uint32_t kNone = kNoStep;
    std::vector<std::uint32_t> owner(size, kNone);
    for (std::uint32_t i = size; i-- > 0;) {
        if (has_step(i)) {
            owner[i] = i;
        }
        for (const std::uint32_t child : children_of(i)) {
            if (!has_step(child) && !is_bottom(child)) {
                owner[child] = owner[i];
            }
        }
    }
    // The steps below each step, and the steps of the parents of each bottom node: (above, below) pairs.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> bottom_edges;  // (rank, owner)
    for (std::uint32_t i = 0; i < size; ++i) {
        if (is_bottom(i) && is_root[i]) {
            bottom_edges.emplace_back(rank_of[i], i);
        }
        for (const std::uint32_t child : children_of(i)) {
            if (is_bottom(child)) {
                bottom_edges.emplace_back(rank_of[child], owner[i]);
            } else if (has_step(child)) {
                edges.emplace_back(owner[i], child);
            }
        }
    }
    std::ranges::sort(edges);
    std::ranges::sort(bottom_edges);
    std::vector<std::uint32_t> height(size);
    std::vector<std::uint32_t> arity(size);
    for (const auto& [above, below] : edges) {
        height[above] = std::max(height[above], height[below] + 1);
        ++arity[above];
    }
    std::vector<std::uint32_t> by_step;
    for (std::uint32_t i = 0; i < size; ++i) {
        if (has_step(i)) {
            by_step.push_back(i);
        }
    }
    std::ranges::sort(by_step, {}, [&](std::uint32_t i) { return std::tuple(height[i], arity[i], i); });
    step_count_ = by_step.size();
    std::vector<std::uint32_t> step_of(size, kNoStep);
    for (std::uint32_t step = 0; step < by_step.size(); ++step) {
        step_of[by_step[step]] = step;
    }
    for (std::uint32_t step = 0; step < by_step.size(); ++step) {
        const std::uint32_t i = by_step[step];
        if (arity[i] == 0) {
            continue;
        }
        if (stretches_.empty() || stretches_.back().end != step || height[by_step[step - 1]] != height[i] ||
            stretches_.back().children != arity[i]) {
            stretches_.push_back({step, step, arity[i], step_children_.size()});
        }
        ++stretches_.back().end;
        for (auto edge = std::ranges::lower_bound(edges, std::pair(i, 0U));
             edge != edges.end() && edge->first == i; ++edge) {
            step_children_.push_back(step_of[edge->second]);
        }
    }
    step_of_rank_.resize(size);
    parents_begin_.assign(size + 1, 0);
    for (std::uint32_t i = 0; i < size; ++i) {
        step_of_rank_[rank_of[i]] = is_bottom(i) ? kNoStep : step_of[owner[i]];
    }
    for (const auto& [rank, above] : bottom_edges) {
        ++parents_begin_[rank + 1];
        parents_.push_back(step_of[above]);
    }
    std::partial_sum(parents_begin_.begin(), parents_begin_.end(), parents_begin_.begin());

    root_steps_.reserve(roots.size());
    for (const NodeId root : roots) {
        root_steps_.push_back(root != example::kEmptyTree && counts(root) ? step_of[local(root)] : kNoStep);
    }
}

std::span<const std::uint32_t> TargetIndex::productions_with_child(tree::SymbolId label,
                                                                   tree::SymbolId child) const {
    const auto [first, last] =
        std::equal_range(child_keys_.begin(), child_keys_.end(), child_key(label, child));
    return std::span(child_productions_)
        .subspan(static_cast<std::size_t>(first - child_keys_.begin()),
                 static_cast<std::size_t>(last - first));
}

std::size_t TargetIndex::bytes() const {
    return (step_of_rank_.capacity() + parents_.capacity() + nodes_by_rank_.capacity() +
            productions_.capacity() + child_ranks_.capacity() + step_children_.capacity() +
            root_steps_.capacity()) *
               sizeof(std::uint32_t) +
           (production_runs_.capacity() + label_runs_.capacity()) * sizeof(Run) +
           child_keys_.capacity() * sizeof(std::uint64_t) +
           child_productions_.capacity() * sizeof(std::uint32_t) +
           (column_begin_.capacity() + parents_begin_.capacity()) * sizeof(std::size_t) +
           stretches_.capacity() * sizeof(Stretch);
}

}  // namespace treeline::kernel
