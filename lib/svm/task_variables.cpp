#include "svm/task_variables.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace treeline::svm {

TaskVariables task_variables(const example::DistinctExamples& distinct, std::span<const std::uint32_t> points,
                             const TrainingTask& task, double c) {
    std::vector<double> above(points.size());
    std::vector<double> below(points.size());
    for (std::size_t i = 0; i < distinct.which.size(); ++i) {
        const double cost = c * (task.costs.empty() ? 1 : task.costs[i]);
        (task.labels[i] > 0 ? above : below)[distinct.which[i]] += cost;
    }
    TaskVariables made;
    for (std::uint32_t p = 0; p < points.size(); ++p) {
        made.first_.push_back(static_cast<std::uint32_t>(made.size()));
        if (above[p] > 0) {
            made.variables_.push_back({points[p], 1, 0, above[p], 0, 1});
            made.point_.push_back(p);
        }
        if (below[p] > 0) {
            made.variables_.push_back({points[p], -1, -below[p], 0, 0, -1});
            made.point_.push_back(p);
        }
    }
    made.first_.push_back(static_cast<std::uint32_t>(made.size()));
    const auto is_positive = [](const DualVariable& v) { return v.y > 0; };
    if (std::ranges::all_of(made.variables_, is_positive) ||
        std::ranges::none_of(made.variables_, is_positive)) {
        throw base::UsageError("all training examples are of one class; a classifier needs two");
    }
    return made;
}

void TaskVariables::start_from(std::span<const double> coefficients,
                               const example::DistinctExamples& distinct, bool bias) {
    std::vector<double> sums(distinct.first.size());
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        sums[distinct.which[i]] += coefficients[i];
    }
    double positive = 0;
    double negative = 0;
    for (std::size_t v = 0; v < size(); ++v) {
        auto& variable = variables_[v];
        variable.value = std::clamp(sums[point_[v]], variable.low, variable.high);
        (variable.value > 0 ? positive : negative) += variable.value;
    }
    const double total = positive + negative;
    if (!bias || total == 0) {
        return;
    }
    // The larger side is scaled down, and what rounding leaves goes to one of its values.
    const bool more_positive = total > 0;
    const double scale = more_positive ? -negative / positive : -positive / negative;
    double rest = 0;
    DualVariable* last = nullptr;
    for (auto& variable : variables_) {
        if (variable.value != 0 && (variable.value > 0) == more_positive) {
            variable.value *= scale;
            last = variable.value != 0 ? &variable : last;
        }
        rest += variable.value;
    }
    if (last != nullptr) {
        last->value = std::clamp(last->value - rest, last->low, last->high);
    }
}

}  // namespace treeline::svm
