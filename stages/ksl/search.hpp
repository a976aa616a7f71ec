#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "ksl/ksl.hpp"

namespace treeline::ksl {

/// What `ksl --search` tries: every kernel with every lambda, every c and every j. An empty list stands for
/// the one value that training itself is given.
struct SearchOptions {
    bool on = false;
    std::string dev;           ///< examples to measure on; empty = cross-validation
    std::size_t folds = 3;     ///< of the cross-validation, at least 2
    std::size_t sample = 250;  ///< examples of a cut
    std::vector<std::string> kernels;
    std::vector<double> lambdas;
    std::vector<double> costs;
    std::vector<double> cost_factors;
};

/// Throws UsageError.
void validate(const Options& options, const SearchOptions& search);

/// Fast parameter choice (Severyn & Moschitti 2010, sections 5.5 and 5.6): trains each candidate by cutting
/// planes with small uniform samples (usvm) and measures it on the development file, or on all examples by
/// stratified cross-validation: F1 of the positive class for one two-class question, else the accuracy of one
/// against all. Writes a line per candidate to standard output and the first best one to the output as a
/// config file (TOML) for `ksl --config` and `fsl --config`. The same bytes for any number of threads.
stage::Summary run_search(const Options& options, const SearchOptions& search,
                          base::ProgressObserver& progress);

}  // namespace treeline::ksl
