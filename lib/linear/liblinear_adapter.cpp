#include "linear/liblinear_adapter.hpp"

#include <linear.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/unchecked_memory.hpp"

namespace treeline::linear {

namespace {

int solver_type(LinearSolver solver) {
    switch (solver) {
        case LinearSolver::kL2rLr: return L2R_LR;
        case LinearSolver::kL2rL2lossSvcDual: return L2R_L2LOSS_SVC_DUAL;
        case LinearSolver::kL2rL2lossSvc: return L2R_L2LOSS_SVC;
        case LinearSolver::kL2rL1lossSvcDual: return L2R_L1LOSS_SVC_DUAL;
        case LinearSolver::kMcsvmCs: return MCSVM_CS;
        case LinearSolver::kL1rL2lossSvc: return L1R_L2LOSS_SVC;
        case LinearSolver::kL1rLr: return L1R_LR;
        default: return L2R_LR_DUAL;
    }
}

/// The rows as LIBLINEAR wants them.
struct Nodes {
    std::vector<feature_node> nodes;
    std::vector<feature_node*> rows;
    std::vector<double> labels;

    Nodes(const LinearProblem& problem, const std::vector<int>& number_of_class, double bias, int dimension) {
        const bool has_bias = bias >= 0;
        nodes.reserve(problem.entries() + problem.rows.size() * (has_bias ? 2 : 1));
        for (std::size_t i = 0; i < problem.rows.size(); ++i) {
            const SparseRow& row = problem.rows[i];
            rows.push_back(nodes.data() + nodes.size());
            labels.push_back(number_of_class[problem.classes[i]]);
            for (std::size_t k = 0; k < row.indices.size(); ++k) {
                nodes.push_back({static_cast<int>(row.indices[k]) + 1, static_cast<double>(row.values[k])});
            }
            if (has_bias) {
                nodes.push_back({dimension, bias});
            }
            nodes.push_back({-1, 0});
        }
    }
};

struct ModelDeleter {
    void operator()(model* trained) const { free_and_destroy_model(&trained); }
};

}  // namespace

std::uint64_t liblinear_bytes(LinearSolver solver, std::uint64_t rows, std::uint64_t entries,
                              std::uint64_t features, std::uint64_t classes) {
    // Entries with end and constant of each row, by rows and for some solvers also by columns; pointers, labels and duals;
    // weights with those of the solver.
    const bool is_transposed = solver == LinearSolver::kL1rL2lossSvc || solver == LinearSolver::kL1rLr;
    return (entries + 2 * rows) * sizeof(feature_node) * (is_transposed ? 2 : 1) + rows * 64 +
           features * (classes + 6 + (is_transposed ? 4 : 0)) * sizeof(double);
}

LinearModel train_liblinear(const LinearProblem& problem, const LinearOptions& options, bool* converged) {
    validate(options);
    validate(problem);
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<int>::max()) - 1;
    if (problem.rows.size() > kMost || problem.features > kMost) {
        throw base::Error("LIBLINEAR takes at most 2,147,483,646 examples and features");
    }
    const std::vector<std::string> labels = model_labels(problem);
    // Class number k of ours is LIBLINEAR's label k + 1.
    std::vector<int> number_of_class(problem.labels.size());
    for (std::size_t i = 0; i < problem.labels.size(); ++i) {
        number_of_class[i] = static_cast<int>(*find_label(labels, problem.labels[i])) + 1;
    }
    const bool has_bias = options.bias >= 0;
    const int dimension = static_cast<int>(problem.features) + (has_bias ? 1 : 0);
    Nodes nodes(problem, number_of_class, options.bias, dimension);
    const ::problem data{.l = static_cast<int>(nodes.rows.size()),
                         .n = dimension,
                         .y = nodes.labels.data(),
                         .x = nodes.rows.data(),
                         .bias = options.bias};
    std::vector<int> weight_labels;
    std::vector<double> weights;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        weight_labels.push_back(static_cast<int>(i) + 1);
        weights.push_back(options.weight(labels[i]));
    }
    const parameter settings{.solver_type = solver_type(options.solver),
                             .eps = options.epsilon.value_or(default_epsilon(options.solver)),
                             .C = options.c,
                             .nr_weight = static_cast<int>(weights.size()),
                             .weight_label = weight_labels.data(),
                             .weight = weights.data(),
                             .p = 0.1,
                             .init_sol = nullptr};
    if (const char* const reason = check_parameter(&data, &settings)) {
        throw base::UsageError(std::string("LIBLINEAR refuses: ") + reason);
    }
    static bool reached = true;
    reached = true;
    set_print_string_function([](const char* text) {
        reached = reached &&
                  std::string_view(text).find("reaching max number of iterations") == std::string_view::npos;
    });
    std::srand(static_cast<unsigned>(options.seed));
    const std::unique_ptr<model, ModelDeleter> trained(
        base::call_unchecked([&] { return train(&data, &settings); }));

    if (converged != nullptr) {
        *converged = reached;
    }
    LinearModel result = starting_model(problem, options);
    const std::size_t columns = result.columns();
    for (std::size_t column = 0; column < columns; ++column) {
        const int label = trained->label[column];
        const std::size_t to = columns == 1 ? 0 : static_cast<std::size_t>(label) - 1;
        const double sign = columns == 1 && label == 2 ? -1 : 1;
        for (std::size_t i = 0; i < static_cast<std::size_t>(dimension); ++i) {
            result.weights[i * columns + to] = sign * trained->w[i * columns + column];
        }
    }
    return result;
}

}  // namespace treeline::linear
