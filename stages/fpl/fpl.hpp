#pragma once

#include <cstdint>
#include <string>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "example/classes.hpp"
#include "fragment/vectorizer.hpp"
#include "sparse/class_bias.hpp"
#include "sparse/path_search.hpp"
#include "sparse/sparse_learner.hpp"

namespace treeline::fpl {

/// Fragment path learning.
struct Options {
    stage::CommonOptions common;
    std::string input;
    std::string output;  ///< folder
    std::uint64_t limit = 0;
    std::string kernel = "sst(lambda=0.4)";
    fragment::FlatFeatures vectors = fragment::FlatFeatures::kUnit;
    double cost_factor = 1;  ///< -j
    std::string label_until;
    sparse::ClassBias class_bias = sparse::ClassBias::kUnseen;
    sparse::LearnerOptions learner;
    sparse::PathOptions path;
    std::string dev;  ///< examples that a path is judged by
};

/// Throws UsageError.
void validate(const Options& options);

/// In: examples; out: fragments.
[[nodiscard]] stage::Summary run(const Options& options, base::ProgressObserver& progress);

}  // namespace treeline::fpl
