#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace treeline::linear {

/// A sparse vector in memory kept elsewhere; indices count from 0 and ascend.
struct SparseRow {
    std::span<const std::uint32_t> indices;
    std::span<const float> values;
};

/// The classifiers of LIBLINEAR; the formulas are in the help of `esl`.
enum class LinearSolver {
    kL2rLr,
    kL2rL2lossSvcDual,
    kL2rL2lossSvc,
    kL2rL1lossSvcDual,
    kMcsvmCs,
    kL1rL2lossSvc,
    kL1rLr,
    kL2rLrDual,
};
/// All of them with LIBLINEAR's name (`L2R_LR`) and ours (`l2r-lr`).
struct LinearSolverName {
    LinearSolver solver;
    std::string_view liblinear;
    std::string_view option;
};
[[nodiscard]] std::span<const LinearSolverName> linear_solver_names();
[[nodiscard]] const LinearSolverName& name_of(LinearSolver solver);
/// By LIBLINEAR's name.
[[nodiscard]] std::optional<LinearSolver> find_linear_solver(std::string_view liblinear);

/// A linear classifier: one column of weights a class (against the rest), or a single one for two classes,
/// which is positive for the first. Classes are numbered as in `labels`.
struct LinearModel {
    LinearSolver solver = LinearSolver::kL2rL2lossSvc;
    std::vector<std::string> labels;
    std::uint64_t features = 0;   ///< indices at or above have no weight
    double bias = -1;             ///< value of the constant feature after the others; below 0 there is none
    std::vector<double> weights;  ///< weights[feature * columns() + column], the constant feature last

    bool operator==(const LinearModel&) const = default;
    [[nodiscard]] std::size_t columns() const {
        return labels.size() == 2 && solver != LinearSolver::kMcsvmCs ? 1 : labels.size();
    }
    [[nodiscard]] bool has_bias() const { return bias >= 0; }
    /// The constant feature's contribution to a column.
    [[nodiscard]] double bias_value(std::size_t column) const {
        return has_bias() ? bias * weights[features * columns() + column] : 0;
    }
    /// Logistic regression: decision values are log-odds.
    [[nodiscard]] bool is_logistic() const;

    /// One value a column into `out`, summed in the order of the indices, the constant feature last.
    void decision_values(const SparseRow& row, std::span<double> out) const;
    /// One probability a class, as LIBLINEAR has them; for logistic models.
    [[nodiscard]] std::vector<double> probabilities(std::span<const double> decisions) const;
};

}  // namespace treeline::linear
