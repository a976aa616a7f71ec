#include "fragment/mining_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/data_error.hpp"
#include "base/parallel.hpp"
#include "example/example_set.hpp"
#include "kernel/tree_rows.hpp"
#include "kernel/weighted_forest.hpp"

namespace treeline::fragment {

using tree::Forest;
using tree::NodeId;

namespace {

/// Then the weight of every pattern, a sum of some of them, is finite, too.
void require_finite_sum(std::span<const double> weights) {
    double sum = 0;
    for (const double weight : weights) {
        sum += std::abs(weight);
    }
    if (!std::isfinite(sum)) {
        throw base::DataError(
            "the coefficients of the support vectors are too large: their sum is not a finite number");
    }
}

}  // namespace

MiningSpace::Trees MiningSpace::distinct(std::span<const NodeId> roots,
                                         std::span<const double> coefficients) {
    Trees trees;
    std::unordered_map<std::uint32_t, std::size_t> position;
    for (std::size_t i = 0; i < roots.size(); ++i) {
        if (roots[i] == example::kEmptyTree) {
            continue;
        }
        const auto [found, added] = position.emplace(raw(roots[i]), trees.roots.size());
        if (added) {
            trees.roots.push_back(roots[i]);
            trees.coefficients.push_back(0);
            trees.repeats.push_back(0);
        }
        trees.coefficients[found->second] += coefficients[i];
        ++trees.repeats[found->second];
    }
    return trees;
}

MiningSpace::MiningSpace(const Forest& forest, const kernel::TreeKernel& kernel,
                         std::span<const NodeId> roots, std::span<const double> coefficients)
    : MiningSpace(forest, kernel, distinct(roots, coefficients)) {}

MiningSpace::MiningSpace(const Forest& forest, const kernel::TreeKernel& kernel, Trees trees)
    : forest_(&forest),
      kernel_(kernel),
      roots_(std::move(trees.roots)),
      coefficients_(std::move(trees.coefficients)),
      nodes_(forest, roots_, kernel) {
    if (kernel.normalize) {
        norms_ = kernel::inverse_norms(kernel::self_kernels(forest, roots_, kernel), kernel);
        for (std::size_t i = 0; i < roots_.size(); ++i) {
            coefficients_[i] *= norms_[i];
        }
    }
    flow_down<double>(coefficients_, weights_);
    flow_down<std::uint64_t>(trees.repeats, counts_);
    require_finite_sum(weights_);
}

template <typename T>
void MiningSpace::flow_down(std::span<const T> at_roots, std::vector<T>& by_rank) const {
    by_rank.assign(nodes_.size(), T{});
    for (std::size_t i = 0; i < roots_.size(); ++i) {
        if (const Rank rank = nodes_.find(roots_[i]); rank != kNoRank) {
            by_rank[rank] += at_roots[i];
        }
    }
    const std::span<const Rank> ascending = nodes_.ascending();
    for (std::size_t i = ascending.size(); i-- > 0;) {
        const Rank parent = ascending[i];
        const T value = by_rank[parent];
        if (value == T{}) {
            continue;
        }
        for (const Rank child : nodes_.children(parent)) {
            by_rank[child] += value;
        }
        for (const Rank leaf : nodes_.lone_leaves(parent)) {
            by_rank[leaf] += value;
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
           nodes_.bytes() + weights_.capacity() * (sizeof(double) + sizeof(std::uint64_t));
}

}  // namespace treeline::fragment
