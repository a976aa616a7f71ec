#pragma once

#include <cstddef>
#include <cstdint>

#include "base/progress.hpp"
#include "linear/linear_problem.hpp"

namespace treeline::linear {

/// What training did, over all columns.
struct NewtonReport {
    std::size_t steps = 0;            ///< Newton steps
    std::size_t conjugate_steps = 0;  ///< products with the Hessian
    bool converged = true;
    double excess =
        0;  ///< the length of the gradient that was reached over the one that is enough, largest of all columns
};

/// Solvers with a primal objective that is differentiable: l2r-l2loss-svc and l2r-lr.
[[nodiscard]] bool has_newton(LinearSolver solver);

/// Memory of training beside the rows themselves, which are used where they lie.
[[nodiscard]] std::uint64_t newton_bytes(std::uint64_t rows, std::uint64_t entries, std::uint64_t features);

/// Minimizes, a class against the rest,
///     f(w) = 1/2 w.w + sum_i C_i loss(y_i w.x_i),   loss(m) = max(0, 1 - m)^2 or log(1 + exp(-m)),
/// until |grad f(w)| <= epsilon min(positives, negatives) / rows |grad f(0)|, the rule of LIBLINEAR, whose
/// optimum this is. Newton steps whose direction comes from preconditioned conjugate gradients and whose
/// length is searched for on the margins alone (Keerthi & DeCoste 2005; Lin, Weng & Keerthi 2008). A step
/// takes one pass over all rows, a product with the Hessian one over the rows with loss (max) or all (log).
/// Parallel; the same bytes for any number of threads.
[[nodiscard]] LinearModel train_newton(const LinearProblem& problem, const LinearOptions& options,
                                       NewtonReport& report,
                                       base::ProgressObserver& observer = base::silent_observer());

}  // namespace treeline::linear
