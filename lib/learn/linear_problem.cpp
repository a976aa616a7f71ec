#include "learn/linear_problem.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"

namespace treeline::learn {

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
    std::vector<std::string> labels = problem.labels;
    if (labels.size() == 2 && base::parse_double(labels[0]) == -1 && base::parse_double(labels[1]) == 1) {
        std::swap(labels[0], labels[1]);
    }
    return labels;
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
    if (problem.labels.size() < 2) {
        throw base::Error("all " + std::to_string(problem.rows.size()) +
                          " examples have the same label; expected two classes at least");
    }
}

}  // namespace treeline::learn
