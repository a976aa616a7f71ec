#include "linear/linear_trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/data_error.hpp"
#include "linear/liblinear_adapter.hpp"
#include "linear/newton.hpp"

namespace treeline::linear {

namespace {

/// Throws where numbers have overflowed on the way to the weights.
LinearModel require_finite(LinearModel model) {
    if (!std::ranges::all_of(model.weights, [](double weight) { return std::isfinite(weight); })) {
        throw base::DataError(
            "training ended in weights that are not finite: values or C are too large; scale the features or lower C");
    }
    return model;
}

}  // namespace

LinearModel train_linear(const LinearProblem& problem, const LinearOptions& options,
                         base::ProgressObserver& observer) {
    if (!has_newton(options.solver)) {
        observer.start("training", 0);
        bool converged = true;
        LinearModel model = train_liblinear(problem, options, &converged);
        observer.finish();
        if (!converged) {
            observer.warn(
                "LIBLINEAR ended after its largest number of iterations, before it reached the tolerance: a smaller "
                "C or scaled features help");
        }
        return require_finite(std::move(model));
    }
    NewtonReport report;
    LinearModel model = train_newton(problem, options, report, observer);
    observer.detail(
        fmt::format("{} Newton steps, {} products with the Hessian", report.steps, report.conjugate_steps));
    if (!report.converged) {
        observer.warn(
            fmt::format("the optimum was not reached: the gradient is {:.3g} times as long as the tolerance "
                        "allows; a smaller C or scaled features help",
                        report.excess));
    }
    return require_finite(std::move(model));
}

std::uint64_t linear_bytes(LinearSolver solver, std::uint64_t rows, std::uint64_t entries,
                           std::uint64_t features, std::uint64_t classes) {
    constexpr std::uint64_t kEntry = sizeof(std::uint32_t) + sizeof(float);
    return entries * kEntry + rows * sizeof(SparseRow) +
           (has_newton(solver) ? newton_bytes(rows, entries, features)
                               : liblinear_bytes(solver, rows, entries, features, classes));
}

}  // namespace treeline::linear
