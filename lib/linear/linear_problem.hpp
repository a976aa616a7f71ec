#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "linear/linear_model.hpp"

namespace treeline::linear {

/// Labelled rows to learn from.
struct LinearProblem {
    std::vector<SparseRow> rows;
    std::vector<std::uint32_t> classes;  ///< of each row, a number in `labels`
    std::vector<std::string> labels;     ///< one a class, see example::ClassSet
    std::uint64_t features = 0;          ///< above every index
    std::vector<double> weights;         ///< of each row: factor of C for its errors; empty = all 1

    [[nodiscard]] double weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }

    [[nodiscard]] std::uint64_t entries() const;
};

struct LinearOptions {
    LinearSolver solver = LinearSolver::kL2rL2lossSvc;
    double c = 1;                           ///< above 0
    std::optional<double> epsilon;          ///< stopping tolerance; default_epsilon() if there is none
    double bias = 1;                        ///< value of the constant feature; below 0 = none
    std::map<std::string, double> weights;  ///< by label: factor of c for the errors of its rows
    std::uint64_t seed = 1;
    const LinearModel* start = nullptr;  ///< where to start from; see has_newton()

    [[nodiscard]] double weight(const std::string& label) const;
};

/// Order of the classes in a model: example::ClassSet::model_names().
[[nodiscard]] std::vector<std::string> model_labels(const LinearProblem& problem);

/// The position of the label of that class.
[[nodiscard]] std::optional<std::size_t> find_label(const std::vector<std::string>& labels,
                                                    const std::string& label);

/// A model of all weights 0 for a problem, or of the weights of options.start for the features and classes
/// that it knows. Throws base::UsageError where that has other classes.
[[nodiscard]] LinearModel starting_model(const LinearProblem& problem, const LinearOptions& options);

/// C for errors on each class of a problem in a column of a model: weights of classes count, where there are
/// several columns, for the column's own class only, as in LIBLINEAR.
[[nodiscard]] std::vector<double> class_costs(const LinearProblem& problem, const LinearOptions& options,
                                              const LinearModel& model, std::size_t column);

/// Default of the stopping tolerance: LIBLINEAR's own, but a tenth of it for l2r-lr and l2r-l2loss-svc, whose
/// Newton steps end just below it where LIBLINEAR's go far beyond.
[[nodiscard]] double default_epsilon(LinearSolver solver);

/// Throws base::UsageError for options that no solver takes, base::DataError for problems with fewer than two
/// classes.
void validate(const LinearOptions& options);
void validate(const LinearProblem& problem);

}  // namespace treeline::linear
