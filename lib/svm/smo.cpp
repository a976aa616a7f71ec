#include "svm/smo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "base/text.hpp"
#include "example/distinct_examples.hpp"
#include "kernel/kernel_space.hpp"
#include "svm/cached_rows.hpp"
#include "svm/dual_solver.hpp"
#include "svm/kernel_diagonal.hpp"
#include "svm/point_stages.hpp"
#include "svm/row_cache.hpp"
#include "svm/task_variables.hpp"

namespace treeline::svm {

namespace {

/// Below this tolerance rows of floats are not good enough.
constexpr double kFloatTolerance = 1e-4;
/// Steps after which no optimum is to be expected, as LIBSVM has it: so many, or so many a variable.
constexpr std::uint64_t kMostSteps = 10'000'000;
constexpr std::uint64_t kMostStepsOfVariable = 100;
/// Tolerances on the way, up to epsilon.
constexpr double kLooseTolerance = 0.1;
constexpr double kTolerancePower = 0.2;
constexpr std::size_t kFew = 50;
/// At least so many examples of either class take part from the start.
constexpr std::size_t kLeastOfClass = 100;

}  // namespace

class SmoTrainer::Impl {
  public:
    virtual ~Impl() = default;
    [[nodiscard]] virtual SmoResult train(const TrainingTask& task, std::span<const double> initial,
                                          const std::function<bool()>& stop) = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

namespace {

template <typename T>
class Trainer final : public SmoTrainer::Impl {
  public:
    Trainer(const TrainingData& data, const SmoOptions& options, base::ProgressObserver& observer)
        : data_(data),
          options_(options),
          observer_(observer),
          distinct_(find_distinct(data.examples, data.subset)),
          space_(data.kernel, data.forest, data.examples),
          cache_(data, options.cache) {
        for (const std::uint32_t position : distinct_.first) {
            points_.push_back(data.subset[position]);
        }
        diagonal_ = kernel_diagonal(data, points_);
        space_.prepare(points_);
        stages_.emplace(points_.size(), options.first_sample, options.small, options.seed);
        if (options.tasks > 1 && stages_->size() == 1) {
            cache_.add_targets(points_);
            cache_.prefetch(points_);
        }
    }

    SmoResult train(const TrainingTask& task, std::span<const double> initial,
                    const std::function<bool()>& stop) override {
        return Run(*this, task, initial, stop).train();
    }

    [[nodiscard]] std::size_t bytes() const override {
        const std::size_t sum =
            (points_.capacity() + distinct_.first.capacity() + distinct_.which.capacity()) * 4;
        return sum + stages_->bytes();
    }

  private:
    class Run;

    TrainingData data_;
    SmoOptions options_;
    base::ProgressObserver& observer_;
    example::DistinctExamples distinct_;
    std::vector<std::uint32_t> points_;  // examples
    std::vector<double> diagonal_;       // by point
    kernel::KernelSpace space_;
    RowCache<T> cache_;
    std::optional<PointStages> stages_;
};

/// The training of one task.
template <typename T>
class Trainer<T>::Run {
  public:
    Run(Trainer& trainer, const TrainingTask& task, std::span<const double> initial,
        const std::function<bool()>& stop)
        : trainer_(trainer),
          stop_(stop),
          variables_(task_variables(trainer.distinct_, trainer.points_, task, trainer.options_.c)),
          works_(variables_.size()) {
        if (!initial.empty()) {
            variables_.start_from(initial, trainer.distinct_, trainer.options_.bias);
        }
    }

    SmoResult train() {
        begin_work();
        for (std::size_t stage = 0; stage < trainer_.stages_->size() && !stopped_; ++stage) {
            const bool last = stage + 1 == trainer_.stages_->size();
            const double goal =
                last ? trainer_.options_.epsilon : std::max(trainer_.options_.epsilon, kLooseTolerance);
            double tolerance = std::max(goal, kLooseTolerance);
            while (!stopped_) {
                solve(tolerance);
                if (stopped_) {
                    break;
                }
                const std::size_t most = std::max(trainer_.options_.first_sample, working_.size() / 2);
                const std::size_t joined = pass(stage, tolerance, most);
                // On the way it is enough that few are wrong.
                if (tolerance == goal && joined <= (last ? 0 : working_.size() / kFew)) {
                    break;
                }
                tolerance = joined < most ? std::max(goal, tolerance * kTolerancePower) : tolerance;
            }
        }
        report_.converged = !stopped_ && report_.gap <= trainer_.options_.epsilon;
        return result();
    }

  private:
    void begin_work() {
        std::size_t positives = 0;
        std::size_t negatives = 0;
        const auto take = [&](std::uint32_t v) {
            if (!works_[v]) {
                join(v);
                ++(variables_[v].y > 0 ? positives : negatives);
            }
        };
        for (const std::uint32_t p : trainer_.stages_->points(0)) {
            for (std::uint32_t v = variables_.first(p); v < variables_.first(p + 1); ++v) {
                take(v);
            }
        }
        bool warm = false;
        for (std::uint32_t v = 0; v < variables_.size(); ++v) {
            const bool rare = (variables_[v].y > 0 ? positives : negatives) < kLeastOfClass;
            if (variables_[v].value != 0 || rare) {
                take(v);
            }
            warm = warm || variables_[v].value != 0;
        }
        if (warm) {
            const base::Stopwatch watch(report_.seconds_passes);
            std::vector<std::uint32_t> examples;
            for (const std::uint32_t v : working_) {
                examples.push_back(variables_[v].example);
            }
            std::vector<double> sums(examples.size());
            trainer_.space_.make_block(examples)->add_at_targets(support(), sums);
            for (std::size_t k = 0; k < working_.size(); ++k) {
                variables_[working_[k]].gradient = variables_[working_[k]].y - sums[k];
            }
        }
    }

    [[nodiscard]] bool is_stopped() const { return stop_ && stop_(); }

    [[nodiscard]] std::uint64_t most_steps() const {
        return std::max(kMostSteps, kMostStepsOfVariable * variables_.size());
    }

    void join(std::uint32_t v) {
        works_[v] = true;
        working_.push_back(v);
    }

    [[nodiscard]] std::vector<kernel::WeightedExample> support() const {
        std::vector<kernel::WeightedExample> support;
        for (const std::uint32_t v : working_) {
            if (variables_[v].value != 0) {
                support.push_back({variables_[v].example, variables_[v].value});
            }
        }
        return support;
    }

    /// Solves the dual over the variables at work.
    void solve(double tolerance) {
        report_.working = std::max(report_.working, working_.size());
        trainer_.observer_.start(
            fmt::format("round {}, tolerance {}: {} variables of {} at work, steps", report_.rounds + 1,
                        base::format_double(tolerance), working_.size(), variables_.size()),
            0);
        RowCache<T>& cache = trainer_.cache_;
        const double seconds_before = cache.seconds();
        const std::uint64_t values_before = cache.computed_values();
        double seconds = 0;
        {
            const base::Stopwatch watch(seconds);
            solve_with(cache, tolerance);
        }
        const double rows = cache.seconds() - seconds_before;
        report_.seconds_rows += rows;
        report_.seconds_steps += seconds - rows;
        report_.kernel_values += cache.computed_values() - values_before;
    }

    void solve_with(RowCache<T>& cache, double tolerance) {
        std::vector<std::uint32_t> targets;
        for (const std::uint32_t v : working_) {
            const std::uint32_t example = variables_[v].example;
            // A point of both classes has two variables one after the other.
            if (cache.position(example) == RowCache<T>::kNone &&
                (targets.empty() || targets.back() != example)) {
                targets.push_back(example);
            }
        }
        std::ranges::sort(targets);
        targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
        cache.add_targets(targets);

        std::vector<DualVariable> variables;
        std::vector<double> diagonal;
        std::vector<std::uint32_t> wanted;
        for (std::size_t k = 0; k < working_.size(); ++k) {
            const DualVariable& variable = variables_[working_[k]];
            variables.push_back(variable);
            diagonal.push_back(trainer_.diagonal_[variables_.point(working_[k])]);
            if (variable.value != 0 || k + joined_ >= working_.size()) {
                wanted.push_back(variable.example);
            }
        }
        cache.prefetch(wanted);
        CachedRows<T> rows(cache, trainer_.space_);
        const DualSolverOptions options{tolerance / 2, trainer_.options_.bias, trainer_.options_.shrink};
        const auto report =
            solve_dual<T>(variables, diagonal, rows, options, [&](std::uint64_t iterations, double /*gap*/) {
                trainer_.observer_.update(report_.iterations + iterations);
                return is_stopped() || report_.iterations + iterations >= most_steps();
            });
        for (std::size_t k = 0; k < working_.size(); ++k) {
            variables_[working_[k]] = variables[k];
        }
        report_.iterations += report.iterations;
        report_.gap = report.gap;
        highest_ = report.highest;
        lowest_ = report.lowest;
        stopped_ = report.stopped;
        trainer_.observer_.update(report_.iterations);
        trainer_.observer_.finish();
    }

    [[nodiscard]] double centre() const { return trainer_.options_.bias ? (highest_ + lowest_) / 2 : 0; }

    /// Evaluates the variables of the stages so far that are not at work; of those that violate their
    /// conditions the `most` that do so most join.
    std::size_t pass(std::size_t last_stage, double tolerance, std::size_t most) {
        const base::Stopwatch watch(report_.seconds_passes);
        ++report_.rounds;
        joined_ = 0;
        if (working_.size() == variables_.size()) {
            return 0;
        }
        const auto weights = support();
        const double middle = centre();
        const double bound = trainer_.options_.bias ? tolerance / 2 : tolerance;
        std::vector<std::uint32_t> violators;
        for (std::size_t s = 0; s <= last_stage; ++s) {
            const auto points = trainer_.stages_->points(s);
            const auto sums = trainer_.stages_->sums(s, weights, trainer_.space_, trainer_.points_,
                                                     [this] { return is_stopped(); });
            if (is_stopped()) {
                stopped_ = true;
                return 0;
            }
            for (std::size_t k = 0; k < sums.size(); ++k) {
                const std::uint32_t p = points[k];
                for (std::uint32_t v = variables_.first(p); v < variables_.first(p + 1); ++v) {
                    DualVariable& variable = variables_[v];
                    if (works_[v]) {
                        continue;
                    }
                    variable.gradient = variable.y - sums[k];
                    if (variable.y * (variable.gradient - middle) > bound) {
                        violators.push_back(v);
                    }
                }
            }
        }
        if (violators.size() > most) {
            std::ranges::nth_element(
                violators, violators.begin() + static_cast<std::ptrdiff_t>(most), {}, [&](std::uint32_t v) {
                    return std::pair(-variables_[v].y * (variables_[v].gradient - middle), v);
                });
            violators.resize(most);
            std::ranges::sort(violators);
        }
        std::ranges::for_each(violators, [&](std::uint32_t v) { join(v); });
        joined_ = violators.size();
        return violators.size();
    }

    SmoResult result() {
        SmoResult result;
        result.machine.threshold = 0.0 - centre();  // not -0
        result.machine.coefficients.assign(trainer_.data_.subset.size(), 0);
        double squared_norm = 0;
        double linear = 0;
        double loss = 0;
        for (std::size_t v = 0; v < variables_.size(); ++v) {
            const DualVariable& variable = variables_[v];
            result.machine.coefficients[trainer_.distinct_.first[variables_.point(v)]] += variable.value;
            squared_norm += variable.value * (variable.y - variable.gradient);
            linear += variable.y * variable.value;
            const double error = std::max(0.0, variable.y * (variable.gradient - centre()));
            loss += (variable.high - variable.low) * error;
            const bool at_bound = variable.value == (variable.y > 0 ? variable.high : variable.low);
            report_.bounded += at_bound ? 1 : 0;
        }
        report_.support_vectors = static_cast<std::size_t>(
            std::ranges::count_if(result.machine.coefficients, [](double c) { return c != 0; }));
        report_.points = trainer_.points_.size();
        report_.objective = linear - squared_norm / 2;
        report_.primal = squared_norm / 2 + loss;
        report_.norm = std::sqrt(std::max(0.0, squared_norm));
        result.report = report_;
        return result;
    }

    Trainer& trainer_;
    const std::function<bool()>& stop_;
    TaskVariables variables_;
    std::vector<bool> works_;
    std::vector<std::uint32_t> working_;
    std::size_t joined_ = 0;  // at the end of working_, since the dual was solved last
    double highest_ = 0;
    double lowest_ = 0;
    bool stopped_ = false;
    SmoReport report_;
};

}  // namespace

SmoTrainer::SmoTrainer(const TrainingData& data, const SmoOptions& options,
                       base::ProgressObserver& observer) {
    if (options.epsilon < kFloatTolerance) {
        impl_ = std::make_unique<Trainer<double>>(data, options, observer);
    } else {
        impl_ = std::make_unique<Trainer<float>>(data, options, observer);
    }
}

SmoTrainer::~SmoTrainer() = default;

SmoResult SmoTrainer::train(const TrainingTask& task, std::span<const double> initial,
                            const std::function<bool()>& stop) {
    return impl_->train(task, initial, stop);
}

std::size_t SmoTrainer::bytes() const { return impl_->bytes(); }

}  // namespace treeline::svm
