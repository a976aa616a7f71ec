#pragma once

#include <string>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "corpus/argument_examples.hpp"

namespace treeline::tdp {

struct SrlOptions {
    std::string input;
    std::string trees;            ///< folder of the treebank; then the input has PropBank lines
    std::string splits;           ///< empty: one split, `all`
    std::string output;           ///< folder
    std::string compression;      ///< end of the names: empty, `.gz`, `.zst`
    bool keep_traces = false;     ///< of treebanks
    bool keep_functions = false;  ///< likewise
    corpus::ArgumentOptions arguments;
};

/// Boundary examples SPLIT.bc.dat and role examples SPLIT.rm.tsv from sentences with propositions.
stage::Summary make_arguments(const SrlOptions& options, const stage::CommonOptions& common,
                              base::ProgressObserver& progress);

}  // namespace treeline::tdp
