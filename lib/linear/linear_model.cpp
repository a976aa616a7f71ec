#include "linear/linear_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace treeline::linear {

namespace {

constexpr std::array kNames{
    LinearSolverName{LinearSolver::kL2rLr, "L2R_LR", "l2r-lr"},
    LinearSolverName{LinearSolver::kL2rL2lossSvcDual, "L2R_L2LOSS_SVC_DUAL", "l2r-l2loss-svc-dual"},
    LinearSolverName{LinearSolver::kL2rL2lossSvc, "L2R_L2LOSS_SVC", "l2r-l2loss-svc"},
    LinearSolverName{LinearSolver::kL2rL1lossSvcDual, "L2R_L1LOSS_SVC_DUAL", "l2r-l1loss-svc-dual"},
    LinearSolverName{LinearSolver::kMcsvmCs, "MCSVM_CS", "mcsvm-cs"},
    LinearSolverName{LinearSolver::kL1rL2lossSvc, "L1R_L2LOSS_SVC", "l1r-l2loss-svc"},
    LinearSolverName{LinearSolver::kL1rLr, "L1R_LR", "l1r-lr"},
    LinearSolverName{LinearSolver::kL2rLrDual, "L2R_LR_DUAL", "l2r-lr-dual"},
};

}  // namespace

std::span<const LinearSolverName> linear_solver_names() { return kNames; }

const LinearSolverName& name_of(LinearSolver solver) {
    return *std::ranges::find(kNames, solver, &LinearSolverName::solver);
}

std::optional<LinearSolver> find_linear_solver(std::string_view liblinear) {
    const auto found = std::ranges::find(kNames, liblinear, &LinearSolverName::liblinear);
    return found == kNames.end() ? std::nullopt : std::optional(found->solver);
}

bool LinearModel::is_logistic() const {
    return solver == LinearSolver::kL2rLr || solver == LinearSolver::kL1rLr ||
           solver == LinearSolver::kL2rLrDual;
}

void LinearModel::decision_values(const SparseRow& row, std::span<double> out) const {
    const std::size_t count = columns();
    if (count == 1) {
        // The usual case: the sum stays in a register.
        double sum = 0;
        for (std::size_t i = 0; i < row.indices.size() && row.indices[i] < features; ++i) {
            sum += weights[row.indices[i]] * static_cast<double>(row.values[i]);
        }
        out[0] = sum + bias_value(0);
        return;
    }
    std::ranges::fill(out, 0.0);
    for (std::size_t i = 0; i < row.indices.size() && row.indices[i] < features; ++i) {
        const double* const weight = weights.data() + row.indices[i] * count;
        for (std::size_t column = 0; column < count; ++column) {
            out[column] += weight[column] * static_cast<double>(row.values[i]);
        }
    }
    for (std::size_t column = 0; column < count; ++column) {
        out[column] += bias_value(column);
    }
}

std::vector<double> LinearModel::probabilities(std::span<const double> decisions) const {
    std::vector<double> values;
    for (const double decision : decisions) {
        values.push_back(1 / (1 + std::exp(-decision)));
    }
    if (columns() == 1) {
        values.push_back(1 - values[0]);
        return values;
    }
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    for (double& value : values) {
        value = sum > 0 ? value / sum : 1 / static_cast<double>(values.size());
    }
    return values;
}

}  // namespace treeline::linear
