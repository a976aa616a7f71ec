#include "svm/kernel_trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/data_error.hpp"
#include "svm/cutting_plane.hpp"
#include "svm/smo.hpp"

namespace treeline::svm {

namespace {

/// Throws where the machine is no function: values have overflowed on the way.
void require_finite(const TrainingOutcome& outcome) {
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!std::ranges::all_of(outcome.machine.coefficients, finite) || !finite(outcome.machine.threshold) ||
        !std::ranges::all_of(outcome.counts, [&](const Fact& fact) { return finite(fact.second); })) {
        throw base::DataError(
            "training ended in numbers that are not finite: values of the kernel or C are too large; scale the features, "
            "normalize the kernel or lower C");
    }
}

class SmoKernelTrainer final : public KernelTrainer {
  public:
    SmoKernelTrainer(const TrainingData& data, const KernelTrainerOptions& options,
                     base::ProgressObserver& observer)
        : trainer_(data,
                   {.c = options.c,
                    .epsilon = options.epsilon,
                    .bias = options.bias,
                    .shrink = options.shrink,
                    .cache = options.memory,
                    .seed = options.seed,
                    .tasks = options.tasks},
                   observer) {}

    TrainingOutcome train(const TrainingTask& task, std::span<const double> initial,
                          const std::function<bool()>& stop) override {
        SmoResult result = trainer_.train(task, initial, stop);
        const SmoReport& report = result.report;
        TrainingOutcome outcome{std::move(result.machine),
                                report.converged,
                                report.gap,
                                {{"iterations", static_cast<double>(report.iterations)},
                                 {"rounds", static_cast<double>(report.rounds)},
                                 {"gap", report.gap},
                                 {"dual objective", report.objective},
                                 {"primal objective", report.primal},
                                 {"distinct examples", static_cast<double>(report.points)},
                                 {"support vectors", static_cast<double>(report.support_vectors)},
                                 {"at bound", static_cast<double>(report.bounded)},
                                 {"|w|", report.norm},
                                 {"kernel values", static_cast<double>(report.kernel_values)}},
                                {{"rows", report.seconds_rows},
                                 {"steps", report.seconds_steps},
                                 {"passes", report.seconds_passes}}};
        require_finite(outcome);
        return outcome;
    }

  private:
    SmoTrainer trainer_;
};

class CuttingPlaneTrainer final : public KernelTrainer {
  public:
    CuttingPlaneTrainer(const TrainingData& data, const KernelTrainerOptions& options,
                        base::ProgressObserver& observer)
        : data_(data), observer_(observer) {
        options_.c = options.c;
        options_.sampling =
            options.solver == Solver::kUsvm ? CutSampling::kUniform : CutSampling::kImportance;
        options_.sample = options.sample;
        options_.epsilon = options.epsilon;
        options_.constant = options.constant;
        options_.seed = options.seed;
        options_.memory = options.memory;
    }

    TrainingOutcome train(const TrainingTask& task, std::span<const double> /*initial*/,
                          const std::function<bool()>& stop) override {
        CuttingPlaneResult result = train_cutting_plane(data_, task, options_, stop, observer_);
        const CuttingPlaneReport& report = result.report;
        TrainingOutcome outcome{std::move(result.machine),
                                report.converged,
                                std::max(0.0, report.loss - report.slack),
                                {{"iterations", static_cast<double>(report.iterations)},
                                 {"cuts", static_cast<double>(report.cuts)},
                                 {"removed cuts", static_cast<double>(report.removed_cuts)},
                                 {"mean hinge loss", report.loss},
                                 {"dual objective", report.objective},
                                 {"primal objective", report.primal},
                                 {"support vectors", static_cast<double>(report.support_vectors)},
                                 {"|w|", report.norm}},
                                {{"values", report.seconds_values},
                                 {"products", report.seconds_products},
                                 {"qp", report.seconds_qp}}};
        require_finite(outcome);
        return outcome;
    }

  private:
    TrainingData data_;
    base::ProgressObserver& observer_;
    CuttingPlaneOptions options_;
};

}  // namespace

std::string describe_unreached(const TrainingOutcome& outcome, double epsilon) {
    return fmt::format(
        "the optimum was not reached: the gap is {:.4g}, epsilon {:.4g}; a smaller C or a normalized kernel helps",
        outcome.gap, epsilon);
}

std::unique_ptr<KernelTrainer> make_kernel_trainer(const TrainingData& data,
                                                   const KernelTrainerOptions& options,
                                                   base::ProgressObserver& observer) {
    if (options.solver == Solver::kSmo) {
        return std::make_unique<SmoKernelTrainer>(data, options, observer);
    }
    return std::make_unique<CuttingPlaneTrainer>(data, options, observer);
}

}  // namespace treeline::svm
