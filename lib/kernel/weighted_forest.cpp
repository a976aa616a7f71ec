#include "kernel/weighted_forest.hpp"

#include "tree/example_set.hpp"

namespace treeline::kernel {

using tree::Forest;
using tree::NodeId;

WeightedForest::WeightedForest(const Forest& forest, std::span<const NodeId> roots,
                               std::span<const double> coefficients, const TreeKernel& kernel)
    : forest_(&forest),
      kernel_(kernel),
      leaves_(kernel.uses_leaves() ? Forest::Leaves::kWith : Forest::Leaves::kWithout),
      index_(forest, roots, kernel),
      weights_(index_.size()) {
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

double WeightedForest::value(NodeId x, Workspace& work) const {
    if (x == tree::kEmptyTree) {
        return 0;
    }
    forest_->decompose(x, leaves_, work.nodes);
    work.deltas.compute(*forest_, index_, kernel_, work.nodes);
    const double single =
        kernel_.kind == TreeKernelKind::kUptk ? kernel_.mu * (kernel_.lambda * kernel_.lambda) : 0;
    double sum = 0;
    for (std::size_t a = 0; a < work.nodes.nodes.size(); ++a) {
        const auto& row = work.deltas.row(a);
        const double* weight = weights_.data() + row.run.begin;
        double dot = 0;
        for (std::uint32_t i = 0; i < row.run.size; ++i) {
            dot += weight[i] * (row.values[i] - single);
        }
        sum += work.nodes.counts[a] * dot;
    }
    return sum;
}

}  // namespace treeline::kernel
