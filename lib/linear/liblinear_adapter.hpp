#pragma once

#include <cstdint>

#include "linear/linear_problem.hpp"

namespace treeline::linear {

/// Trains with LIBLINEAR. The same model for the same problem, options and seed. LIBLINEAR draws from rand():
/// one call at a time in a process. Knows neither weights of rows nor options.start. Throws base::Error with
/// LIBLINEAR's reason where it refuses. `converged`, where it is given, says whether the tolerance was reached.
[[nodiscard]] LinearModel train_liblinear(const LinearProblem& problem, const LinearOptions& options,
                                          bool* converged = nullptr);

/// Memory that train_liblinear() takes besides the problem: LIBLINEAR wants 16 bytes an entry, and twice that where weights
/// are punished by their amount (l1r).
[[nodiscard]] std::uint64_t liblinear_bytes(LinearSolver solver, std::uint64_t rows, std::uint64_t entries,
                                            std::uint64_t features, std::uint64_t classes);

}  // namespace treeline::linear
