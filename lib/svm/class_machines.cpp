#include "svm/class_machines.hpp"

namespace treeline::svm {

std::vector<double> example_costs(const example::ExampleSet& examples, std::span<const std::uint32_t> subset,
                                  std::span<const double> labels, double cost_factor) {
    if (!examples.has_costs() && cost_factor == 1) {
        return {};
    }
    std::vector<double> costs(subset.size());
    for (std::size_t i = 0; i < subset.size(); ++i) {
        costs[i] = examples.cost(subset[i]) * (labels[i] > 0 ? cost_factor : 1);
    }
    return costs;
}

std::vector<TrainedMachine> train_machines(
    const TrainingData& data, const example::Classes& classes, const MachineOptions& options,
    const TrainingStart& start, base::ProgressObserver& observer, const std::function<bool()>& stop,
    const std::function<void(std::size_t, const TrainingOutcome&)>& done) {
    const std::size_t count = classes.questions().size();
    KernelTrainerOptions trainer_options = options.trainer;
    trainer_options.tasks = count;
    const auto stopped = [&] { return stop && stop(); };
    const auto trainer = make_kernel_trainer(data, trainer_options, observer);
    std::vector<TrainedMachine> machines = start.finished;
    for (std::size_t q = machines.size(); q < count; ++q) {
        const auto labels = classes.labels(q);
        const auto costs = example_costs(data.examples, data.subset, labels, options.cost_factor);
        const bool first = q == start.finished.size();
        TrainingOutcome outcome = trainer->train(
            {labels, costs}, first ? std::span<const double>(start.initial) : std::span<const double>(),
            stopped);
        const bool unfinished = !outcome.converged && stopped();
        if (!outcome.converged && !unfinished) {
            observer.warn(classes.questions()[q].positive + ": " +
                          describe_unreached(outcome, options.trainer.epsilon));
        }
        if (done) {
            done(q, outcome);
        }
        machines.push_back(std::move(outcome.machine));
        if (unfinished) {
            break;
        }
    }
    return machines;
}

}  // namespace treeline::svm
