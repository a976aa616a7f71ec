#include "linear/linear_trainer.hpp"

#include <fmt/format.h>

#include "linear/liblinear_adapter.hpp"
#include "linear/newton.hpp"

namespace treeline::linear {

LinearModel train_linear(const LinearProblem& problem, const LinearOptions& options,
                         base::ProgressObserver& observer) {
    if (!has_newton(options.solver)) {
        observer.start("training", 0);
        LinearModel model = train_liblinear(problem, options);
        observer.finish();
        return model;
    }
    NewtonReport report;
    LinearModel model = train_newton(problem, options, report, observer);
    observer.note(fmt::format("{} Newton steps, {} products with the Hessian{}", report.steps,
                              report.conjugate_steps, report.converged ? "" : ": not converged"));
    return model;
}

std::uint64_t linear_bytes(LinearSolver solver, std::uint64_t rows, std::uint64_t entries,
                           std::uint64_t features, std::uint64_t classes) {
    constexpr std::uint64_t kEntry = sizeof(std::uint32_t) + sizeof(float);
    return entries * kEntry + rows * sizeof(SparseRow) +
           (has_newton(solver) ? newton_bytes(rows, entries, features)
                               : liblinear_bytes(rows, entries, features, classes));
}

}  // namespace treeline::linear
