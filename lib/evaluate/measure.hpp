#pragma once

#include <string_view>

#include "base/names.hpp"
#include "evaluate/metrics.hpp"

namespace treeline::evaluate {

/// What a search makes best: the F1 of class +1 where the labels are +1 and -1, accuracy elsewhere; or one of
/// them.
enum class Measure { kAuto, kAccuracy, kF1, kMacroF1 };

inline constexpr base::NameTable<Measure, 4> kMeasureNames{{
    {Measure::kAuto, "auto"},
    {Measure::kAccuracy, "accuracy"},
    {Measure::kF1, "f1"},
    {Measure::kMacroF1, "macro-f1"},
}};

/// The measure that is meant for what `metrics` has seen. `positive`: the class whose F1 counts; where it is empty,
/// because there are more than two classes, F1 is that of all of them together, the accuracy.
[[nodiscard]] Measure chosen_measure(Measure measure, const Metrics& metrics, std::string_view positive);

/// In percent; 0 where `positive` was never seen.
[[nodiscard]] double value_of(Measure measure, const Metrics& metrics, std::string_view positive);

}  // namespace treeline::evaluate
