#include "linear/linear_problem.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "example/class_set.hpp"

namespace treeline::linear {

std::uint64_t LinearProblem::entries() const {
    std::uint64_t sum = 0;
    for (const SparseRow& row : rows) {
        sum += row.indices.size();
    }
    return sum;
}

double LinearOptions::weight(const std::string& label) const {
    const auto found = weights.find(label);
    return found == weights.end() ? 1 : found->second;
}

std::vector<std::string> model_labels(const LinearProblem& problem) {
    return example::ClassSet(problem.labels).model_names();
}

std::optional<std::size_t> find_label(const std::vector<std::string>& labels, const std::string& label) {
    const auto found =
        std::ranges::find_if(labels, [&](const auto& known) { return example::same_class(known, label); });
    return found == labels.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - labels.begin()));
}

LinearModel starting_model(const LinearProblem& problem, const LinearOptions& options) {
    LinearModel model;
    model.solver = options.solver;
    model.labels = model_labels(problem);
    model.features = problem.features;
    model.bias = options.bias >= 0 ? options.bias : -1;
    const std::size_t columns = model.columns();
    model.weights.resize((model.features + (model.has_bias() ? 1 : 0)) * columns);
    if (options.start == nullptr) {
        return model;
    }
    const LinearModel& start = *options.start;
    if (start.columns() != columns) {
        throw base::UsageError("the model to start from has other classes");
    }
    for (std::size_t column = 0; column < columns; ++column) {
        const auto known = find_label(start.labels, model.labels[column]);
        if (!known) {
            throw base::UsageError("the model to start from does not know the class " +
                                   base::quoted(model.labels[column]));
        }
        const std::size_t position = *known;
        const double sign = columns == 1 && position == 1 ? -1 : 1;
        const std::size_t from = columns == 1 ? 0 : position;
        for (std::uint64_t i = 0; i < std::min(model.features, start.features); ++i) {
            model.weights[i * columns + column] = sign * start.weights[i * columns + from];
        }
        if (model.has_bias() && start.has_bias()) {
            model.weights[model.features * columns + column] =
                sign * start.weights[start.features * columns + from];
        }
    }
    return model;
}

std::vector<double> class_costs(const LinearProblem& problem, const LinearOptions& options,
                                const LinearModel& model, std::size_t column) {
    std::vector<double> costs;
    for (const std::string& label : problem.labels) {
        const bool weighed = model.columns() == 1 || example::same_class(label, model.labels[column]);
        costs.push_back(options.c * (weighed ? options.weight(label) : 1));
    }
    return costs;
}

double default_epsilon(LinearSolver solver) {
    switch (solver) {
        case LinearSolver::kL2rLr:
        case LinearSolver::kL2rL2lossSvc: return 0.001;
        case LinearSolver::kL1rL2lossSvc:
        case LinearSolver::kL1rLr: return 0.01;
        default: return 0.1;
    }
}

void validate(const LinearOptions& options) {
    const auto positive = [](double number) { return number > 0 && std::isfinite(number); };
    if (!positive(options.c)) {
        throw base::UsageError("C = " + base::format_double(options.c) + "; expected a number above 0");
    }
    if (options.epsilon && !positive(*options.epsilon)) {
        throw base::UsageError("epsilon = " + base::format_double(*options.epsilon) +
                               "; expected a number above 0");
    }
    for (const auto& [label, weight] : options.weights) {
        if (!positive(weight)) {
            throw base::UsageError("weight " + base::format_double(weight) + " of class " +
                                   base::quoted(label) + "; expected a number above 0");
        }
    }
}

void validate(const LinearProblem& problem) {
    example::require_two_classes(example::ClassSet(problem.labels));
}

}  // namespace treeline::linear
