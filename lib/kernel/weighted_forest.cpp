#include "kernel/weighted_forest.hpp"

#include <algorithm>
#include <iterator>

#include "example/example_set.hpp"

namespace treeline::kernel {

using tree::Forest;
using tree::NodeId;

WeightedForest::WeightedForest(const Forest& forest, std::span<const NodeId> roots,
                               std::span<const double> coefficients, const TreeKernel& kernel)
    : forest_(&forest), kernel_(kernel), index_(forest, roots, kernel), weights_(index_.size()) {
    std::vector<double> by_step(index_.step_count());
    for (std::size_t i = 0; i < roots.size(); ++i) {
        if (index_.root_steps()[i] != TargetIndex::kNoStep) {
            by_step[index_.root_steps()[i]] += coefficients[i];
        }
    }
    index_.add_downwards(by_step.data());
    for (std::size_t rank = 0; rank < weights_.size(); ++rank) {
        weights_[rank] = index_.gather(static_cast<std::uint32_t>(rank), by_step.data());
    }
}

WeightedForest::Evaluator::Evaluator(const WeightedForest& weighted)
    : weighted_(&weighted), deltas_(*weighted.forest_, weighted.index_, weighted.kernel_) {}

double WeightedForest::Evaluator::value(NodeId x) {
    constexpr std::size_t kKeptValues = 1 << 19;  // 4 MB: more does not stay in the processor's cache
    const Forest& forest = *weighted_->forest_;
    const KernelFamily& family = weighted_->kernel_.family();
    const auto is_missing = [&](NodeId node) {
        return family.takes_part(forest, node) && deltas_.find(node) == deltas_.kNone;
    };
    if (x == example::kEmptyTree) {
        return 0;
    }
    if (deltas_.size() > kKeptValues) {
        deltas_.clear();
        totals_.clear();
    }
    missing_.clear();
    if (is_missing(x)) {
        missing_.push_back(x);
    }
    for (std::size_t i = 0; i < missing_.size(); ++i) {
        std::ranges::copy_if(forest.children(missing_[i]), std::back_inserter(missing_), is_missing);
    }
    std::ranges::sort(missing_);
    missing_.erase(std::unique(missing_.begin(), missing_.end()), missing_.end());
    std::ranges::for_each(missing_, [&](NodeId node) { add(node); });
    const std::uint32_t number = deltas_.find(x);
    return number == deltas_.kNone ? 0 : totals_[number];
}

void WeightedForest::Evaluator::add(NodeId a) {
    const double single = weighted_->kernel_.counted_single_node();
    const auto& row = deltas_.add(a);
    const double* weights = weighted_->weights_.data() + row.run.begin;
    double total = 0;
    for (std::uint32_t i = 0; i < row.run.size; ++i) {
        total += weights[i] * (row.counted[i] + single);
    }
    for (const NodeId child : weighted_->forest_->children(a)) {
        const std::uint32_t number = deltas_.find(child);
        total += number == deltas_.kNone ? 0 : totals_[number];
    }
    totals_.push_back(total);
}

}  // namespace treeline::kernel
