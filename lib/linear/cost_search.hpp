#pragma once

#include <cstddef>

#include "base/names.hpp"
#include "base/progress.hpp"
#include "linear/linear_problem.hpp"

namespace treeline::linear {

/// What a search makes best: the F1 of class +1 where the labels are +1 and -1, accuracy elsewhere; or one of
/// them.
enum class Measure { kAuto, kAccuracy, kF1, kMacroF1 };

inline constexpr base::NameTable<Measure, 4> kMeasureNames{{
    {Measure::kAuto, "auto"},
    {Measure::kAccuracy, "accuracy"},
    {Measure::kF1, "f1"},
    {Measure::kMacroF1, "macro-f1"},
}};

struct CostSearchOptions {
    double from = 0.03125;  ///< first C, above 0
    double to = 32;         ///< largest C, at least `from`
    double factor = 2;      ///< from one C to the next, above 1
    std::size_t folds = 5;  ///< at least 2; of the cross-validation where there are no rows to judge by
    Measure measure = Measure::kAuto;
};

/// The C of the grid from * factor^k, up to `to`, with the best measure on `dev`, or over the folds of
/// `problem` where there is none; the smallest of equals. `learner` gives everything but C; its seed deals
/// the rows into folds. Solvers that can start from a model start from that of the C before. The observer
/// hears the measure of each C.
[[nodiscard]] double search_cost(const CostSearchOptions& options, const LinearOptions& learner,
                                 const LinearProblem& problem, const LinearProblem* dev = nullptr,
                                 base::ProgressObserver& progress = base::silent_observer());

}  // namespace treeline::linear
