#pragma once

#include <string>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "polynomial/polynomial_learner.hpp"

namespace treeline::psl {

/// Polynomial space learning.
struct Options {
    stage::CommonOptions common;
    std::string input;
    std::string output;
    std::string conjunctions;  ///< file for the weights of all conjunctions; empty = none
    bool binarize = false;
    std::uint64_t top = 0;   ///< fragments of vectors to keep; 0 = all
    std::string top_class;   ///< by their relevance for this class; empty = for any
    std::string dictionary;  ///< with top_class
    polynomial::PolynomialLearnerOptions learner;
};

/// Throws UsageError.
void validate(const Options& options);

[[nodiscard]] stage::Summary run(const Options& options, base::ProgressObserver& progress);

}  // namespace treeline::psl
