#include "evaluate/measure.hpp"

#include <algorithm>

namespace treeline::evaluate {

Measure chosen_measure(Measure measure, const Metrics& metrics, std::string_view positive) {
    if (measure == Measure::kAuto) {
        measure = metrics.is_signed_binary() ? Measure::kF1 : Measure::kAccuracy;
    }
    return measure == Measure::kF1 && positive.empty() ? Measure::kAccuracy : measure;
}

double value_of(Measure measure, const Metrics& metrics, std::string_view positive) {
    switch (chosen_measure(measure, metrics, positive)) {
        case Measure::kMacroF1: return metrics.macro_f1();
        case Measure::kF1: {
            const auto classes = metrics.classes();
            const auto found = std::ranges::find_if(
                classes, [&](const ClassScore& score) { return example::same_class(score.label, positive); });
            return found == classes.end() ? 0 : found->f1;
        }
        default: return metrics.accuracy();
    }
}

}  // namespace treeline::evaluate
