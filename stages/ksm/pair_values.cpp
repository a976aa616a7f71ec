#include "ksm/pair_values.hpp"

#include <cmath>
#include <variant>

#include "base/error.hpp"
#include "kernel/quadratic.hpp"

namespace treeline::ksm {
namespace {

const kernel::TreeKernel& tree_kernel_of(const kernel::KernelDescription& kernel) {
    const auto& terms = kernel.terms;
    if (terms.size() != 1 || terms[0].weight != 1 || terms[0].factors.size() != 1 || kernel.uses_vectors()) {
        throw base::UsageError("--evaluator fast and quadratic take one tree kernel, not " +
                               to_string(kernel));
    }
    return std::get<kernel::TreeKernel>(terms[0].factors[0]);
}

}  // namespace

PairValues::PairValues(Evaluator evaluator, const kernel::KernelDescription& kernel,
                       const tree::Forest& forest, const example::ExampleSet& rows,
                       const example::ExampleSet& columns)
    : fast_(evaluator == Evaluator::kFast),
      kernel_(tree_kernel_of(kernel)),
      forest_(&forest),
      rows_(prepare(rows)),
      columns_(prepare(columns)) {}

PairValues::Side PairValues::prepare(const example::ExampleSet& examples) const {
    Side side;
    kernel::PairwiseEvaluator evaluator(*forest_, kernel_);
    for (std::size_t i = 0; i < examples.size(); ++i) {
        const auto trees = examples.trees(i);
        if (trees.size() != 1 || trees[0] == example::kEmptyTree) {
            throw base::UsageError("--evaluator fast and quadratic take one tree an example");
        }
        if (fast_) {
            evaluator.prepare(trees[0], side.fast.emplace_back());
        } else {
            side.texts.push_back(forest_->text(trees[0]));
        }
        side.inverse_norms.push_back(kernel_.normalize ? 1 / std::sqrt(evaluator.self_value(trees[0])) : 1);
    }
    return side;
}

void PairValues::row(std::size_t row, std::span<double> values) const {
    kernel::PairwiseEvaluator evaluator(*forest_, kernel_);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = fast_ ? evaluator.value(rows_.fast[row], columns_.fast[i])
                                   : kernel::quadratic_kernel(rows_.texts[row], columns_.texts[i], kernel_);
        values[i] = value * rows_.inverse_norms[row] * columns_.inverse_norms[i];
    }
}

}  // namespace treeline::ksm
