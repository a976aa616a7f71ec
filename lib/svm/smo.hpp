#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "svm/training_problem.hpp"

namespace treeline::svm {

struct SmoOptions {
    double c = 1;           ///< cost of an example's error; above 0
    double epsilon = 1e-3;  ///< tolerance of the optimality conditions, as in LIBSVM; above 0
    bool bias = true;
    bool shrink = true;
    std::uint64_t cache = std::uint64_t{1} << 30;  ///< bytes of kernel rows kept
    std::size_t first_sample =
        2048;  ///< distinct examples that training starts with; goes on with four times as many, up to all
    std::size_t small = 8192;  ///< up to so many distinct examples are all at work from the start
    std::uint64_t seed = 1;
    std::size_t tasks =
        1;  ///< how many will be trained; for several of a small set all rows are made at once, in parallel
};

struct SmoReport {
    bool converged = false;           ///< false: stopped
    std::uint64_t iterations = 0;     ///< steps of the dual solver
    std::uint64_t rounds = 0;         ///< passes over the examples that were not at work
    std::size_t points = 0;           ///< distinct examples
    std::size_t working = 0;          ///< largest number of variables at work
    std::size_t support_vectors = 0;  ///< distinct examples with a coefficient
    std::size_t bounded = 0;          ///< those of them at their bound
    double gap = 0;                   ///< of the optimality conditions, over all examples
    double objective = 0;             ///< of the dual: sum alpha - alpha'Q alpha/2, never above its optimum
    double primal = 0;                ///< |w|^2/2 + sum C_i max(0, 1 - y_i f(x_i)), never below it
    double norm = 0;                  ///< |w|
    std::uint64_t kernel_values = 0;  ///< of rows; passes work on nodes, not on pairs of examples
    double seconds_rows = 0;
    double seconds_steps = 0;
    double seconds_passes = 0;
};

struct SmoResult {
    TrainedMachine machine;
    SmoReport report;
};

/// Trains support vector machines exactly: minimize |w|^2/2 + sum_i C_i max(0, 1 - y_i (w.phi(x_i) - b)), C_i
/// = c times the example's cost, solved in the dual until the optimality conditions hold to epsilon for every
/// example.
///
/// Equal examples of one class are folded into one variable with the sum of their costs as its bound, which
/// leaves the optimum as it is. Of the variables, few end up as support vectors; so the dual is solved
/// (dual_solver.hpp) over the variables at work, then all others are evaluated in one pass over their
/// distinct nodes (kernel_space.hpp), and those that violate their condition join, until none does. It starts
/// with a sample and loose tolerances and ends with all examples and epsilon.
///
/// One trainer serves several tasks over the same examples (one against all) with the same rows.
/// Parallel inside; the same result for any number of threads. Not thread-safe.
class SmoTrainer {
  public:
    /// What `data` refers to must outlive this.
    SmoTrainer(const TrainingData& data, const SmoOptions& options,
               base::ProgressObserver& observer = base::silent_observer());
    ~SmoTrainer();
    SmoTrainer(const SmoTrainer&) = delete;
    SmoTrainer& operator=(const SmoTrainer&) = delete;

    /// `initial` are coefficients by position in the subset to start from (empty = none); what does not fit
    /// the task's bounds is cut off. `stop` is asked now and then: if true, what has been reached is
    /// returned. Throws base::UsageError for labels of one class only.
    [[nodiscard]] SmoResult train(const TrainingTask& task, std::span<const double> initial = {},
                                  const std::function<bool()>& stop = {});

    /// Bytes needed besides the cache.
    [[nodiscard]] std::size_t bytes() const;

    class Impl;

  private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace treeline::svm
