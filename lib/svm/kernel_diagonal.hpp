#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "svm/training_problem.hpp"

namespace treeline::svm {

/// K(x, x) of some examples of the set, in parallel. Throws base::DataError with the number of an example for which it is so
/// large that sums of kernel values are not computed to any digit.
[[nodiscard]] std::vector<double> kernel_diagonal(const TrainingData& data,
                                                  std::span<const std::uint32_t> examples);

}  // namespace treeline::svm
