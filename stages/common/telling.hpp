#pragma once

#include <span>
#include <string>

#include "base/progress.hpp"
#include "evaluate/metrics.hpp"

/// What stages that classify have to say. Inline, so that only they link the library.
namespace treeline::stage {

/// How good predictions are, and of how many examples the label is none of the model's `classes`.
inline void tell_metrics(const evaluate::Metrics& metrics, std::span<const std::string> classes,
                         base::ProgressObserver& progress) {
    progress.note(evaluate::to_text(metrics));
    if (const std::string unknown = evaluate::describe_unknown_labels(metrics, classes); !unknown.empty()) {
        progress.warn(unknown);
    }
}

}  // namespace treeline::stage
