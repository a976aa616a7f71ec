#include "kernel/example_kernel.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "kernel/vector_values.hpp"

namespace treeline::kernel {

using example::ExampleSet;
using tree::NodeId;

void require_fitting(const KernelDescription& kernel, const ExampleSet& examples) {
    const auto refuse = [&](const char* what, const char* remedy) {
        throw base::UsageError("the kernel " + to_string(kernel) + " compares " + what +
                               ", but no example has any; " + remedy);
    };
    if (examples.size() == 0) {
        throw base::UsageError("there are no examples; expected lines LABEL<TAB>tree or of SVM-light-TK");
    }
    if (kernel.uses_trees() && examples.most_trees() == 0) {
        refuse("trees", "give trees (|BT| ... |ET|) or a vector kernel such as \"linear\"");
    }
    if (kernel.uses_vectors() && examples.most_vectors() == 0) {
        refuse("vectors", "give INDEX:VALUE features or a tree kernel such as \"sst\"");
    }
}

void require_fitting(const KernelDescription& kernel, const ExampleSet& examples,
                     std::span<const std::uint32_t> targets) {
    const auto fits = [&](std::uint32_t target) {
        return (kernel.uses_trees() && !examples.trees(target).empty()) ||
               (kernel.uses_vectors() && examples.vector_count(target) > 0);
    };
    if (!targets.empty() && std::ranges::none_of(targets, fits)) {
        const bool trees = kernel.uses_trees();
        throw base::UsageError("the model's kernel " + to_string(kernel) + " compares " +
                               (trees ? "trees" : "vectors") +
                               ", but no example has any; give examples with " +
                               (trees ? "trees (LABEL<TAB>tree)" : "INDEX:VALUE features") +
                               ", or a model that was learned from such examples");
    }
}

ExampleKernel::ExampleKernel(const KernelDescription& kernel, const tree::Forest& forest) : kernel_(kernel) {
    for (const auto& term : kernel_.terms) {
        for (const auto& factor : term.factors) {
            if (const auto* tree_kernel = std::get_if<TreeKernel>(&factor)) {
                evaluators_.emplace_back(forest, *tree_kernel);
            }
        }
    }
}

double ExampleKernel::value(const ExampleSet& x_set, std::size_t x, const ExampleSet& y_set, std::size_t y) {
    double sum = 0;
    auto evaluator = evaluators_.begin();
    for (const auto& term : kernel_.terms) {
        double product = term.weight;
        for (const auto& factor : term.factors) {
            if (const auto* tree_kernel = std::get_if<TreeKernel>(&factor)) {
                const auto x_trees = x_set.trees(x);
                const auto y_trees = y_set.trees(y);
                product *= sum_over_pairs(
                    tree_kernel->pairing, x_trees.size(), y_trees.size(), [&](std::size_t i, std::size_t j) {
                        return tree_value(*tree_kernel, *evaluator, x_trees[i], y_trees[j]);
                    });
                ++evaluator;
            } else {
                const auto& vector_kernel = std::get<VectorKernel>(factor);
                product *= sum_over_pairs(vector_kernel.pairing, x_set.vector_count(x), y_set.vector_count(y),
                                          [&](std::size_t i, std::size_t j) {
                                              const auto u = x_set.vector(x, i);
                                              const auto v = y_set.vector(y, j);
                                              return vector_value(dot(u, v), vector_kernel) *
                                                     inverse_norm(u, vector_kernel) *
                                                     inverse_norm(v, vector_kernel);
                                          });
            }
        }
        sum += product;
    }
    return sum;
}

double ExampleKernel::tree_value(const TreeKernel& kernel, PairwiseEvaluator& evaluator, NodeId x, NodeId y) {
    if (x == example::kEmptyTree || y == example::kEmptyTree) {
        return 0;
    }
    evaluator.prepare(x, x_);
    evaluator.prepare(y, y_);
    const double value = require_finite(evaluator.value(x_, y_), kernel);
    if (!kernel.normalize || value == 0) {
        return value;
    }
    return value / std::sqrt(require_finite(evaluator.value(x_, x_), kernel)) /
           std::sqrt(require_finite(evaluator.value(y_, y_), kernel));
}

}  // namespace treeline::kernel
