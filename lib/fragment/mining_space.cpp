#include "fragment/mining_space.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/parallel.hpp"
#include "kernel/tree_rows.hpp"
#include "kernel/weighted_forest.hpp"
#include "tree/example_set.hpp"

namespace treeline::fragment {

using tree::Forest;
using tree::NodeId;

MiningSpace::MiningSpace(const Forest& forest, const kernel::TreeKernel& kernel, std::span<const NodeId> roots,
                         std::span<const double> coefficients)
    : forest_(&forest), kernel_(kernel) {
    std::vector<std::uint64_t> repeats;
    std::unordered_map<std::uint32_t, std::size_t> position;
    for (std::size_t i = 0; i < roots.size(); ++i) {
        if (roots[i] == tree::kEmptyTree) {
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
    const std::vector<double> norms =
        kernel::inverse_norms(kernel::self_kernels(forest, roots_, kernel), kernel);
    for (std::size_t i = 0; i < roots_.size(); ++i) {
        coefficients_[i] *= norms[i];
    }

    const auto leaves = kernel.uses_leaves() ? Forest::Leaves::kWith : Forest::Leaves::kWithout;
    const kernel::TargetIndex index(forest, roots_, leaves);
    const std::size_t size = index.size();
    nodes_.assign(index.nodes_by_rank().begin(), index.nodes_by_rank().end());

    std::vector<double> weight_by_step(size);
    std::vector<std::uint64_t> count_by_step(size);
    for (std::size_t i = 0; i < roots_.size(); ++i) {
        if (const std::uint32_t step = index.root_steps()[i]; step != kernel::TargetIndex::kNoStep) {
            weight_by_step[step] += coefficients_[i];
            count_by_step[step] += repeats[i];
        }
    }
    index.add_downwards(weight_by_step.data());
    index.add_downwards(count_by_step.data());
    weights_.resize(size);
    counts_.resize(size);
    for (std::size_t rank = 0; rank < size; ++rank) {
        weights_[rank] = weight_by_step[index.step_of_rank()[rank]];
        counts_[rank] = count_by_step[index.step_of_rank()[rank]];
    }

    children_begin_.reserve(size + 1);
    children_begin_.push_back(0);
    for (Rank rank = 0; rank < size; ++rank) {
        const kernel::TargetIndex::Run run = index.production_run(production(rank));
        std::size_t column = 0;
        for (const NodeId child : forest.children(nodes_[rank])) {
            const bool leaf = forest.is_leaf(child);
            if (kernel.is_partial() || !leaf) {
                children_.push_back(index.child_ranks(run, column)[rank - run.begin]);
            }
            column += leaves == Forest::Leaves::kWith || !leaf;
        }
        children_begin_.push_back(children_.size());
    }

    const auto runs_of = [size](auto same) {
        std::vector<Run> runs;
        for (Rank rank = 0; rank < size; ++rank) {
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

double MiningSpace::squared_norm() const {
    const kernel::WeightedForest forest(*forest_, roots_, coefficients_, kernel_);
    constexpr std::size_t kGrain = 64;
    std::vector<double> sums((roots_.size() + kGrain - 1) / kGrain);
    base::parallel_pieces(roots_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        kernel::WeightedForest::Workspace work;
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            sum += coefficients_[i] * forest.value(roots_[i], work);
        }
        sums[begin / kGrain] = sum;
    });
    return std::max(0.0, std::accumulate(sums.begin(), sums.end(), 0.0));
}

std::size_t MiningSpace::bytes() const {
    return roots_.capacity() * (sizeof(NodeId) + sizeof(double)) +
           weights_.capacity() * (sizeof(NodeId) + sizeof(double) + sizeof(std::uint64_t) + sizeof(std::size_t)) +
           children_.capacity() * sizeof(Rank) +
           (production_runs_.capacity() + label_runs_.capacity()) * sizeof(Run);
}

}  // namespace treeline::fragment
