#pragma once

#include <cstddef>
#include <string>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "store/predictions.hpp"

namespace treeline::psc {

/// Polynomial space classification.
struct Options {
    stage::CommonOptions common;
    std::string model;
    std::string input;
    std::string output;  ///< predictions; empty = none
    store::PredictionFormat format = store::PredictionFormat::kTsv;
    std::string metrics;      ///< JSON; empty = none
    std::size_t explain = 0;  ///< conjunctions an example; 0 = none
    std::string explanations = "-";
    std::string dictionary;  ///< to name fragments by; empty = none
    bool binarize = false;
};

/// Throws UsageError.
void validate(const Options& options);

[[nodiscard]] stage::Summary run(const Options& options, base::ProgressObserver& progress);

}  // namespace treeline::psc
