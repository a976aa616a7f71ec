#pragma once

#include <cstdint>
#include <string>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "common/training.hpp"
#include "evaluate/splits.hpp"

namespace treeline::fsl {

struct Options {
    std::string input;
    std::string output;
    std::size_t splits = 0;        ///< 0 = as many as suit the examples (evaluate::suggest_split_count)
    std::size_t train_splits = 0;  ///< train only the first so many of them; 0 = all
    std::string split;             ///< "3/10": this one only; empty = all
    evaluate::Splitting splitting = evaluate::Splitting::kStratified;
    std::uint64_t limit = 0;
    stage::TrainingOptions training;
    stage::CommonOptions common;
};

/// Throws UsageError.
void validate(const Options& options);

/// Trains a model per split (and class) into the folder, where the split has examples of the class and others; models that are
/// there and were made the same way stay. The folder's manifest is written when all of them are there.
stage::Summary run(Options options, base::ProgressObserver& progress);

}  // namespace treeline::fsl
