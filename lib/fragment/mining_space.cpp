#include "fragment/mining_space.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "base/parallel.hpp"
#include "example/example_set.hpp"
#include "kernel/tree_rows.hpp"
#include "kernel/weighted_forest.hpp"

namespace treeline::fragment {

using tree::Forest;
using tree::NodeId;

MiningSpace::MiningSpace(const Forest& forest, const kernel::TreeKernel& kernel,
                         std::span<const NodeId> roots, std::span<const double> coefficients)
    : forest_(&forest), kernel_(kernel) {
    std::vector<std::uint64_t> repeats;
    std::unordered_map<std::uint32_t, std::size_t> position;
    for (std::size_t i = 0; i < roots.size(); ++i) {
        if (roots[i] == example::kEmptyTree) {
            continue;
        }
        const auto [found, added] = position.emplace(raw(roots[i]), roots_.size());
        if (added) {
            roots_.push_back(roots[i]);
            coefficients_.push_back(0);
            repeats.push_back(0);
        }
        coefficients_[found->second] += coefficients[i];
        ++repeats[found->second];
    }
    if (kernel.normalize) {
        norms_ = kernel::inverse_norms(kernel::self_kernels(forest, roots_, kernel), kernel);
        for (std::size_t i = 0; i < roots_.size(); ++i) {
            coefficients_[i] *= norms_[i];
        }
    }

    // Reachable nodes, ascending: children have smaller ids than parents, so weights flow down in one sweep.
    std::vector<NodeId> reached;
    std::vector<bool> seen(forest.size());
    std::vector<NodeId> pending(roots_);
    while (!pending.empty()) {
        const NodeId node = pending.back();
        pending.pop_back();
        if (!seen[raw(node)] && (kernel.uses_leaves() || !forest.is_leaf(node))) {
            seen[raw(node)] = true;
            reached.push_back(node);
            const auto children = forest.children(node);
            pending.insert(pending.end(), children.begin(), children.end());
        }
    }
    std::ranges::sort(reached);
    nodes_ = reached;
    std::ranges::sort(nodes_, {}, [&](NodeId node) {
        return std::tuple(raw(forest.label(node)), raw(forest.production(node)), raw(node));
    });
    rank_of_.resize(forest.size(), kNoRank);
    for (Rank rank = 0; rank < nodes_.size(); ++rank) {
        rank_of_[raw(nodes_[rank])] = rank;
    }
    descending_.reserve(reached.size());
    for (std::size_t i = reached.size(); i-- > 0;) {
        descending_.push_back(rank_of_[raw(reached[i])]);
    }
    flow_down<double>(coefficients_, weights_);
    flow_down<std::uint64_t>(repeats, counts_);
    children_begin_.reserve(nodes_.size() + 1);
    children_begin_.push_back(0);
    for (const NodeId node : nodes_) {
        for (const NodeId child : forest.children(node)) {
            if (kernel.is_partial() || !forest.is_leaf(child)) {
                children_.push_back(rank_of_[raw(child)]);
            }
        }
        children_begin_.push_back(children_.size());
    }

    const auto runs_of = [this](auto same) {
        std::vector<Run> runs;
        for (Rank rank = 0; rank < size(); ++rank) {
            if (rank == 0 || !same(rank - 1, rank)) {
                runs.push_back({rank, rank});
            }
            runs.back().end = rank + 1;
        }
        return runs;
    };
    production_runs_ = runs_of([this](Rank a, Rank b) { return production(a) == production(b); });
    label_runs_ = runs_of([this](Rank a, Rank b) { return label(a) == label(b); });
}

template <typename T>
void MiningSpace::flow_down(std::span<const T> at_roots, std::vector<T>& by_rank) const {
    by_rank.assign(nodes_.size(), T{});
    for (std::size_t i = 0; i < roots_.size(); ++i) {
        if (const Rank rank = rank_of_[raw(roots_[i])]; rank != kNoRank) {
            by_rank[rank] += at_roots[i];
        }
    }
    for (const Rank parent : descending_) {
        const T value = by_rank[parent];
        if (value == T{}) {
            continue;
        }
        for (const NodeId child : forest_->children(nodes_[parent])) {
            if (const Rank rank = rank_of_[raw(child)]; rank != kNoRank) {
                by_rank[rank] += value;
            }
        }
    }
}

void MiningSpace::set_coefficients(std::span<const double> coefficients) {
    for (std::size_t i = 0; i < roots_.size(); ++i) {
        coefficients_[i] = coefficients[i] * inverse_norm(i);
    }
    flow_down<double>(coefficients_, weights_);
}

double MiningSpace::squared_norm() const {
    const kernel::WeightedForest forest(*forest_, roots_, coefficients_, kernel_);
    constexpr std::size_t kGrain = 2048;  // an evaluator profits from trees that share subtrees
    std::vector<double> sums((roots_.size() + kGrain - 1) / kGrain);
    base::parallel_pieces(roots_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        kernel::WeightedForest::Evaluator evaluator(forest);
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            sum += coefficients_[i] * evaluator.value(roots_[i]);
        }
        sums[begin / kGrain] = sum;
    });
    return std::max(0.0, std::accumulate(sums.begin(), sums.end(), 0.0));
}

std::size_t MiningSpace::bytes() const {
    return roots_.capacity() * (sizeof(NodeId) + sizeof(double)) + norms_.capacity() * sizeof(double) +
           (rank_of_.capacity() + descending_.capacity()) * sizeof(Rank) +
           weights_.capacity() *
               (sizeof(NodeId) + sizeof(double) + sizeof(std::uint64_t) + sizeof(std::size_t)) +
           children_.capacity() * sizeof(Rank) +
           (production_runs_.capacity() + label_runs_.capacity()) * sizeof(Run);
}

}  // namespace treeline::fragment
