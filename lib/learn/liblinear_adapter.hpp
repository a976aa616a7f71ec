#pragma once

#include <cstdint>

#include "learn/linear_problem.hpp"

namespace treeline::learn {

/// Trains with LIBLINEAR. The same model for the same problem, options and seed. LIBLINEAR draws from rand():
/// one call at a time in a process. Throws base::Error with LIBLINEAR's reason where it refuses.
[[nodiscard]] LinearModel train_liblinear(const LinearProblem& problem, const LinearOptions& options);

/// Memory that train_liblinear() takes besides the problem: LIBLINEAR wants 16 bytes an entry.
[[nodiscard]] std::uint64_t liblinear_bytes(std::uint64_t rows, std::uint64_t entries, std::uint64_t features,
                                            std::uint64_t classes);

/// Whether a solver can start from another model's weights (LIBLINEAR's trust region methods).
[[nodiscard]] bool can_start(LinearSolver solver);

/// LIBLINEAR's own default of the stopping tolerance.
[[nodiscard]] double default_epsilon(LinearSolver solver);

}  // namespace treeline::learn
