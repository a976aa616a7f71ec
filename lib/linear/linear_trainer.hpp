#pragma once

#include <cstdint>

#include "base/progress.hpp"
#include "linear/linear_problem.hpp"

namespace treeline::linear {

/// Trains on rows in memory: the primal solvers by Newton steps on all threads (newton.hpp), the others by
/// LIBLINEAR.
[[nodiscard]] LinearModel train_linear(const LinearProblem& problem, const LinearOptions& options,
                                       base::ProgressObserver& observer = base::silent_observer());

/// Memory that train_linear() takes with the rows, of 8 bytes an entry.
[[nodiscard]] std::uint64_t linear_bytes(LinearSolver solver, std::uint64_t rows, std::uint64_t entries,
                                         std::uint64_t features, std::uint64_t classes);

}  // namespace treeline::linear
