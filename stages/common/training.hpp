#pragma once

#include <string>

#include "common/manifest.hpp"
#include "example/classes.hpp"
#include "example/example_set.hpp"
#include "kernel/description.hpp"
#include "svm/kernel_trainer.hpp"

namespace CLI {
class App;
}

namespace treeline::stage {

/// How kernel machines are trained: the options that ksl and fsl share.
struct TrainingOptions {
    std::string kernel = "sst(lambda=0.4)";
    double cost_factor = 1;  ///< errors on positive examples cost so many times more
    svm::KernelTrainerOptions trainer;
    example::ClassOptions classes;
};

/// Adds the options to `app`; they are the same everywhere.
void bind_training(CLI::App& app, TrainingOptions& options);

/// Throws UsageError for what lies outside its range or does not go together.
void validate(const TrainingOptions& options);

/// What is in effect, for a manifest.
[[nodiscard]] Values values_of(const TrainingOptions& options);

/// Costs of the examples of a subset for one two-class question, empty if all are 1.
[[nodiscard]] std::vector<double> costs_of(const example::ExampleSet& examples,
                                           std::span<const std::uint32_t> subset,
                                           std::span<const double> labels, double cost_factor);

/// Bytes left for kernel values out of `memory`, after what the process holds, what training `examples`
/// examples needs besides and `more`. Throws UsageError with the memory needed where that is too little.
[[nodiscard]] std::uint64_t memory_for_rows(std::uint64_t memory, std::size_t examples,
                                            std::uint64_t more = 0);

/// "iterations 4394, gap 0.00049, ...; rows 0.41 s, ..."
[[nodiscard]] std::string to_string(const svm::TrainingOutcome& outcome);

}  // namespace treeline::stage
