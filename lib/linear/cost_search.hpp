#pragma once

#include <cstddef>

#include "base/progress.hpp"
#include "evaluate/measure.hpp"
#include "linear/linear_problem.hpp"

namespace treeline::linear {

struct CostSearchOptions {
    double from = 0.03125;  ///< first C, above 0
    double to = 32;         ///< largest C, at least `from`
    double factor = 2;      ///< from one C to the next, above 1
    std::size_t folds = 5;  ///< at least 2; of the cross-validation where there are no rows to judge by
    evaluate::Measure measure = evaluate::Measure::kAuto;
};

/// The C of the grid from * factor^k, up to `to`, with the best measure on `dev`, or over the folds of
/// `problem` where there is none; the smallest of equals. `learner` gives everything but C; its seed deals
/// the rows into folds. Solvers that can start from a model start from that of the C before. The observer
/// hears the measure of each C.
[[nodiscard]] double search_cost(const CostSearchOptions& options, const LinearOptions& learner,
                                 const LinearProblem& problem, const LinearProblem* dev = nullptr,
                                 base::ProgressObserver& progress = base::silent_observer());

}  // namespace treeline::linear
