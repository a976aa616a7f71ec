#pragma once

#include <string>

#include "base/progress.hpp"
#include "common/outputs.hpp"
#include "svm/class_machines.hpp"

namespace CLI {
class App;
}

namespace treeline::stage {

/// How kernel machines are trained: the options that ksl and fsl share.
using TrainingOptions = svm::MachineOptions;

/// Adds the options to `app`; they are the same everywhere.
void bind_training(CLI::App& app, TrainingOptions& options);

/// Throws UsageError for what lies outside its range or does not go together.
void validate(const TrainingOptions& options);

/// What is in effect, for a manifest.
[[nodiscard]] Values values_of(const TrainingOptions& options);

/// Says what SVM-light-TK would compute with models of this kernel, where that is another kernel.
void note_other_readings(const kernel::KernelDescription& kernel, base::ProgressObserver& progress);

/// Bytes left for kernel values out of `memory`, after what the process holds, what training `examples`
/// examples needs besides and `more`. Throws UsageError with the memory needed where that is too little.
[[nodiscard]] std::uint64_t memory_for_rows(std::uint64_t memory, std::size_t examples,
                                            std::uint64_t more = 0);

/// "iterations 4394, gap 0.00049, ...; rows 0.41 s, ..."
[[nodiscard]] std::string to_string(const svm::TrainingOutcome& outcome);

}  // namespace treeline::stage
