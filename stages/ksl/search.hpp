#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "ksl/ksl.hpp"
#include "svm/parameter_search.hpp"

namespace treeline::ksl {

/// What `ksl --search` tries, and on what.
struct SearchOptions {
    bool on = false;
    std::string dev;           ///< examples to measure on; empty = cross-validation
    std::size_t folds = 3;     ///< of the cross-validation, at least 2
    std::size_t sample = 250;  ///< examples of a cut
    evaluate::Measure measure = evaluate::Measure::kAuto;
    svm::ParameterGrid grid;  ///< empty = svm::usual_grid()
};

/// Throws UsageError.
void validate(const Options& options, const SearchOptions& search);

/// Fast parameter choice (svm::ParameterSearch) on the development file, or on all examples by stratified
/// cross-validation. Writes a line per candidate to standard output and the first best one to the output as a
/// config file (TOML) for `ksl --config` and `fsl --config`. The same bytes for any number of threads.
stage::Summary run_search(const Options& options, const SearchOptions& search,
                          base::ProgressObserver& progress);

}  // namespace treeline::ksl
