#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "example/classes.hpp"
#include "svm/kernel_trainer.hpp"

namespace treeline::svm {

/// How the kernel machines that tell classes apart are trained.
struct MachineOptions {
    std::string kernel = "sst(lambda=0.4)";  ///< see kernel::parse_kernel()
    double cost_factor = 1;                  ///< errors on positive examples cost so many times more
    KernelTrainerOptions trainer;
    example::ClassOptions classes;
};

/// Costs of the examples of a subset for one two-class question, empty if all are 1.
[[nodiscard]] std::vector<double> example_costs(const example::ExampleSet& examples,
                                                std::span<const std::uint32_t> subset,
                                                std::span<const double> labels, double cost_factor);

/// What an earlier run has reached.
struct TrainingStart {
    std::vector<TrainedMachine> finished;  ///< of the first questions
    std::vector<double> initial;           ///< coefficients that the next one starts from; empty = none
};

/// The machines of all questions of `classes`, in their order, over the examples of `data`. Options: the trainer
/// and cost factor of `options` (its kernel is that of `data`). `done` hears of each machine as it is there, with
/// the number of its question. Where `stop` asks for it, the machine at work comes as it is, not converged, and
/// is the last one.
[[nodiscard]] std::vector<TrainedMachine> train_machines(
    const TrainingData& data, const example::Classes& classes, const MachineOptions& options,
    const TrainingStart& start = {}, base::ProgressObserver& observer = base::silent_observer(),
    const std::function<bool()>& stop = {},
    const std::function<void(std::size_t, const TrainingOutcome&)>& done = {});

}  // namespace treeline::svm
