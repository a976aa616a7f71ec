#pragma once

#include <cstdint>
#include <string>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "store/predictions.hpp"

namespace treeline::ksc {

struct Options {
    std::string model;
    std::string input;
    std::string output;  ///< empty = no predictions
    store::PredictionFormat format = store::PredictionFormat::kTsv;
    std::string metrics;      ///< empty = none
    std::string label_until;  ///< gold labels end before this text
    std::uint64_t limit = 0;  ///< examples to read; 0 = all
    stage::CommonOptions common;
};

/// Throws UsageError.
void validate(const Options& options);

/// Classifies; writes predictions and metrics.
stage::Summary run(const Options& options, base::ProgressObserver& progress);

}  // namespace treeline::ksc
