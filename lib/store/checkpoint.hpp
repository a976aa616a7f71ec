#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "svm/training_problem.hpp"

namespace treeline::store {

/// What an interrupted run has reached: machines in the order of their questions, all finished but the last,
/// which is not if `finished` is one less.
struct Checkpoint {
    std::string work;  ///< digest of the manifest planned: which examples, which options
    std::size_t finished = 0;
    std::vector<svm::TrainedMachine> machines;
};

/// `OUTPUT.checkpoint`, also where the output is a folder.
[[nodiscard]] std::string checkpoint_path(const std::string& output);

/// A line of text per coefficient, numbers to the last digit. Throws InputError for anything else, `examples`
/// being how many coefficients a machine has.
[[nodiscard]] Checkpoint read_checkpoint(const std::string& path, std::size_t examples);
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);

}  // namespace treeline::store
