#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "example/distinct_examples.hpp"
#include "svm/dual_solver.hpp"
#include "svm/training_problem.hpp"

namespace treeline::svm {

/// The variables of one task's dual: one per point (distinct example) and class that its examples have,
/// bounded by the sum of their costs. A point whose examples are of both classes has two.
class TaskVariables {
  public:
    [[nodiscard]] std::size_t size() const { return variables_.size(); }
    [[nodiscard]] DualVariable& operator[](std::size_t v) { return variables_[v]; }
    [[nodiscard]] const DualVariable& operator[](std::size_t v) const { return variables_[v]; }
    /// The point of a variable; the variables of a point p are first(p) to first(p + 1) - 1.
    [[nodiscard]] std::uint32_t point(std::size_t v) const { return point_[v]; }
    [[nodiscard]] std::uint32_t first(std::size_t p) const { return first_[p]; }

    /// Sets the values to those nearest to these coefficients, one per example, within the bounds and, with a
    /// bias, with sum 0.
    void start_from(std::span<const double> coefficients, const example::DistinctExamples& distinct,
                    bool bias);

    friend TaskVariables task_variables(const example::DistinctExamples& distinct,
                                        std::span<const std::uint32_t> points, const TrainingTask& task,
                                        double c);

  private:
    std::vector<DualVariable> variables_;
    std::vector<std::uint32_t> point_;  // of each variable
    std::vector<std::uint32_t> first_;  // variable of each point
};

/// `points` are the examples that stand for the distinct ones. All values are 0. Throws UsageError where all
/// examples are of one class.
[[nodiscard]] TaskVariables task_variables(const example::DistinctExamples& distinct,
                                           std::span<const std::uint32_t> points, const TrainingTask& task,
                                           double c);

}  // namespace treeline::svm
