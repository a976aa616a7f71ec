#pragma once

#include <string>
#include <vector>

#include "common/options.hpp"
#include "fragment/miner.hpp"

namespace treeline::fmi {

/// What fmi is asked to do.
struct Options {
    std::vector<std::string> models;  ///< model files, folders of fsl, manifests
    std::vector<std::string> merge;   ///< files of mined fragments
    std::string add;                  ///< dictionary to start from
    std::string output;               ///< dictionary to make; empty with `add`: that one
    std::string tmp;                  ///< folder where the dictionary grows; empty = beside the output
    std::string mined_output;         ///< file for the fragments of one model, instead of a dictionary
    bool global = false;              ///< the top of the summed models instead of the union of their tops
    bool compare = true;              ///< with another miner than exact: what does it lose?
    fragment::MinerOptions miner;
    stage::CommonOptions common;
};

/// Throws base::UsageError where options contradict each other.
void validate(const Options& options);

}  // namespace treeline::fmi
