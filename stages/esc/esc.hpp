#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/progress.hpp"
#include "common/options.hpp"

namespace treeline::esc {

enum class ExplanationFormat { kText, kJson, kHtml };

/// Explicit space classification.
struct Options {
    stage::CommonOptions common;
    std::string model;
    std::string input;       ///< vectors,
    std::string dictionary;  ///< or a dictionary
    std::string trees;       ///< and examples
    std::string output = "-";
    std::string metrics;  ///< file for metrics.json; empty = none
    bool probabilities = false;
    std::size_t explain = 0;  ///< fragments to name an example; 0 = predictions only
    ExplanationFormat explanation = ExplanationFormat::kText;
    std::string label_until;  ///< labels of --trees end before this text; empty = whole labels
    std::uint64_t limit = 0;  ///< examples of --trees to read; 0 = all
};

/// Throws UsageError.
void validate(const Options& options);

[[nodiscard]] stage::Summary run(const Options& options, base::ProgressObserver& progress);

}  // namespace treeline::esc
