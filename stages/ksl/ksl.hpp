#pragma once

#include <cstdint>
#include <string>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "common/training.hpp"

namespace treeline::ksl {

struct Options {
    std::string input;
    std::string output;
    std::string start_from;   ///< model to start from; empty = none
    bool resume = false;      ///< take up the checkpoint of an interrupted run
    std::uint64_t limit = 0;  ///< examples to read; 0 = all
    stage::TrainingOptions training;
    stage::CommonOptions common;
};

/// Throws UsageError.
void validate(const Options& options);

/// Trains; writes a model, or a folder of models for more than two classes, and a manifest. A stop asked for
/// by a signal leaves `OUTPUT.checkpoint` and throws base::Error.
stage::Summary run(Options options, base::ProgressObserver& progress);

}  // namespace treeline::ksl
