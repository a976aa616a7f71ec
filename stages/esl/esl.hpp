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

/// Explicit space learning.
struct Options {
    stage::CommonOptions common;
    std::string input;
    std::string output;
    linear::LinearOptions learner;
    double cost_factor = 1;                ///< errors on examples of the class +1 cost so many times more
    std::vector<std::string> class_costs;  ///< LABEL=FACTOR
    double constant = 1;                   ///< value of a constant feature; 0 = none
    std::string start_from;                ///< model to start from; empty = none
    bool mined = false;      ///< take the dictionary's relevances; fit only a scale and a bias a class
    std::string dictionary;  ///< with `mined`
    bool search = false;
    linear::CostSearchOptions grid;
    std::string dev;  ///< vectors to search on instead of folds
};

/// Throws UsageError.
void validate(const Options& options);

[[nodiscard]] stage::Summary run(const Options& options, base::ProgressObserver& progress);

}  // namespace treeline::esl
