#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "example/example_set.hpp"
#include "kernel/description.hpp"
#include "tree/forest.hpp"

namespace treeline::svm {

/// Some examples of a set with a kernel: what the solvers of this folder learn from. The solvers get the
/// classes beside it, because one against all asks several two-class questions of the same examples.
struct TrainingData {
    const kernel::KernelDescription& kernel;
    const tree::Forest& forest;
    const example::ExampleSet& examples;
    std::span<const std::uint32_t> subset;  ///< the training examples, by their number in the set
};

/// One two-class question.
struct TrainingTask {
    std::span<const double> labels;  ///< +1 or -1, by position in the subset
    std::span<const double> costs;   ///< factor of c, above 0, by position in the subset; empty = all 1
};

/// A two-class machine, f(x) = sum_i coefficient_i K(x_i, x) - threshold.
struct TrainedMachine {
    std::vector<double> coefficients;  ///< alpha * y, by position in the subset
    double threshold = 0;
};

}  // namespace treeline::svm
