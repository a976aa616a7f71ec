#pragma once

#include <string>

#include "linear/linear_problem.hpp"
#include "store/dictionary.hpp"

namespace treeline::classify {

/// The dictionary's relevances as a linear model, no training: a class's weights are the mean of those of its
/// models. Two classes: the models of one of them. Each column is scaled by a > 0
/// and shifted by b such that the hinge loss sum_i weight(y_i) max(0, 1 - y_i (a w.x_i + b)) of the rows is
/// least: what the dictionary leaves out, and the mean over models, make scores smaller than those of the
/// kernel machines. Throws base::Error where the dictionary has no model of a class.
[[nodiscard]] linear::LinearModel mined_model(const store::Dictionary& dictionary,
                                              const linear::LinearProblem& problem,
                                              const linear::LinearOptions& options);

}  // namespace treeline::classify
