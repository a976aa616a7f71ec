#include "learn/liblinear_adapter.hpp"

#include <linear.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>

#include "base/error.hpp"
#include "base/text.hpp"

namespace treeline::learn {

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

/// Weights of another model over these features and classes, in LIBLINEAR's order; 0 for what it does not
/// know.
std::vector<double> starting_weights(const LinearModel& start, const std::vector<std::string>& labels,
                                     std::uint64_t features, bool has_bias) {
    const std::size_t columns = labels.size() == 2 ? 1 : labels.size();
    std::vector<double> weights((features + (has_bias ? 1 : 0)) * columns);
    if (start.columns() != columns) {
        throw base::UsageError("the model to start from has other classes");
    }
    for (std::size_t column = 0; column < columns; ++column) {
        const auto known = std::ranges::find(start.labels, labels[column]);
        if (known == start.labels.end()) {
            throw base::UsageError("the model to start from does not know the class " +
                                   base::quoted(labels[column]));
        }
        const auto position = static_cast<std::size_t>(known - start.labels.begin());
        const double sign = columns == 1 && position == 1 ? -1 : 1;
        const std::size_t from = columns == 1 ? 0 : position;
        for (std::uint64_t i = 0; i < std::min(features, start.features); ++i) {
            weights[i * columns + column] = sign * start.weights[i * columns + from];
        }
        if (has_bias && start.has_bias()) {
            weights[features * columns + column] = sign * start.weights[start.features * columns + from];
        }
    }
    return weights;
}

struct ModelDeleter {
    void operator()(model* trained) const { free_and_destroy_model(&trained); }
};

}  // namespace

bool can_start(LinearSolver solver) {
    return solver == LinearSolver::kL2rLr || solver == LinearSolver::kL2rL2lossSvc;
}

double default_epsilon(LinearSolver solver) {
    switch (solver) {
        case LinearSolver::kL2rLr:
        case LinearSolver::kL2rL2lossSvc:
        case LinearSolver::kL1rL2lossSvc:
        case LinearSolver::kL1rLr: return 0.01;
        default: return 0.1;
    }
}

std::uint64_t liblinear_bytes(std::uint64_t rows, std::uint64_t entries, std::uint64_t features,
                              std::uint64_t classes) {
    // Entries with end and constant of each row; pointers, labels and duals; weights with those of the
    // solver.
    return (entries + 2 * rows) * sizeof(feature_node) + rows * 64 +
           features * (classes + 6) * sizeof(double);
}

LinearModel train_liblinear(const LinearProblem& problem, const LinearOptions& options) {
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
        const auto position = std::ranges::find(labels, problem.labels[i]);
        number_of_class[i] = static_cast<int>(position - labels.begin()) + 1;
    }
    const bool has_bias = options.bias >= 0;
    const int dimension = static_cast<int>(problem.features) + (has_bias ? 1 : 0);
    Nodes nodes(problem, number_of_class, options.bias, dimension);
    const ::problem data{.l = static_cast<int>(nodes.rows.size()),
                         .n = dimension,
                         .y = nodes.labels.data(),
                         .x = nodes.rows.data(),
                         .bias = options.bias};
    // LIBLINEAR numbers classes in order of appearance.
    std::vector<std::string> order;
    std::vector<bool> seen(labels.size());
    for (const double label : nodes.labels) {
        const auto position = static_cast<std::size_t>(label) - 1;
        if (!seen[position]) {
            seen[position] = true;
            order.push_back(labels[position]);
        }
    }
    std::vector<int> weight_labels;
    std::vector<double> weights;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        weight_labels.push_back(static_cast<int>(i) + 1);
        weights.push_back(options.weight(labels[i]));
    }
    std::vector<double> start;
    if (options.start != nullptr) {
        start = starting_weights(*options.start, order, problem.features, has_bias);
    }
    const parameter settings{.solver_type = solver_type(options.solver),
                             .eps = options.epsilon.value_or(default_epsilon(options.solver)),
                             .C = options.c,
                             .nr_weight = static_cast<int>(weights.size()),
                             .weight_label = weight_labels.data(),
                             .weight = weights.data(),
                             .p = 0.1,
                             .init_sol = start.empty() ? nullptr : start.data()};
    if (const char* const reason = check_parameter(&data, &settings)) {
        throw base::UsageError(std::string("LIBLINEAR refuses: ") + reason);
    }
    set_print_string_function([](const char*) {});
    std::srand(static_cast<unsigned>(options.seed));
    const std::unique_ptr<model, ModelDeleter> trained(train(&data, &settings));

    LinearModel result;
    result.solver = options.solver;
    result.labels = labels;
    result.features = problem.features;
    result.bias = has_bias ? options.bias : -1;
    const std::size_t columns = result.columns();
    result.weights.resize(static_cast<std::size_t>(dimension) * columns);
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

}  // namespace treeline::learn
