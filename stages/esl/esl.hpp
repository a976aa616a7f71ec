#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "linear/cost_search.hpp"
#include "linear/linear_problem.hpp"

namespace treeline::esl {

enum class Weights {
    kTrained,
    kMined,  ///< the dictionary's relevances; nothing but a scale and a bias a class is fitted
};

/// Explicit space learning.
struct Options {
    stage::CommonOptions common;
    std::string input;
    std::string output;
    linear::LinearOptions learner;
    double positive_weight = 1;              ///< -j: weight of class +1
    std::vector<std::string> class_weights;  ///< LABEL=WEIGHT
    std::string start;                       ///< model to start from; empty = none
    Weights weights = Weights::kTrained;
    std::string dictionary;  ///< kMined
    bool search = false;
    linear::CostSearchOptions grid;
    std::string dev;  ///< vectors to search on instead of folds
};

/// Throws UsageError.
void validate(const Options& options);

[[nodiscard]] stage::Summary run(const Options& options, base::ProgressObserver& progress);

}  // namespace treeline::esl
