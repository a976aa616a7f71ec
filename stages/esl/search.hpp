#pragma once

#include "base/progress.hpp"
#include "esl/esl.hpp"

namespace treeline::esl {

/// The C of the grid search_from * search_factor^k, up to search_to, with the best measure on `dev`, or over
/// the folds of `problem` where there is none; the smallest of equals. Solvers that can start from a model
/// start from that of the C before.
[[nodiscard]] double search_cost(const Options& options, const linear::LinearProblem& problem,
                                 const linear::LinearProblem* dev, base::ProgressObserver& progress);

}  // namespace treeline::esl
