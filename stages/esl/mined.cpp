#include "esl/mined.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace treeline::esl {

using learn::LinearModel;

namespace {

bool same_label(const std::string& a, const std::string& b) {
    const auto x = base::parse_double(a);
    return a == b || (x && x == base::parse_double(b));
}

/// The bias of least hinge loss. The loss falls with b as long as positive rows of more weight than the rows
/// passed lie above, and bends at y_i - w.x_i.
double best_bias(std::vector<std::pair<double, double>> bends, double positive_weight) {
    std::ranges::sort(bends);
    double passed = 0;
    for (const auto& [bend, weight] : bends) {
        passed += weight;
        if (passed >= positive_weight) {
            return bend;
        }
    }
    return 0;
}

}  // namespace

LinearModel mined_model(const store::Dictionary& dictionary, const learn::LinearProblem& problem,
                        const learn::LinearOptions& options) {
    LinearModel model;
    model.solver = learn::LinearSolver::kL2rL1lossSvcDual;
    model.labels = learn::model_labels(problem);
    model.features = problem.features;
    model.bias = 1;
    const auto& listed = dictionary.info().models;
    const auto models_of = [&](const std::string& label) {
        return std::ranges::count_if(listed, [&](const auto& item) { return same_label(item.label, label); });
    };
    if (model.labels.size() == 2 && models_of(model.labels[0]) == 0) {
        std::swap(model.labels[0], model.labels[1]);
    }
    const std::size_t columns = model.columns();
    std::vector<double> share(listed.size(), 0);
    std::vector<std::size_t> column_of(listed.size(), 0);
    for (std::size_t column = 0; column < columns; ++column) {
        const auto count = models_of(model.labels[column]);
        if (count == 0) {
            throw base::Error("the dictionary has no model of class " + base::quoted(model.labels[column]) +
                              "; train instead (--weights trained)");
        }
        for (std::size_t i = 0; i < listed.size(); ++i) {
            if (same_label(listed[i].label, model.labels[column])) {
                share[i] = 1 / static_cast<double>(count);
                column_of[i] = column;
            }
        }
    }
    model.weights.resize((model.features + 1) * columns);
    dictionary.for_each([&](const store::Dictionary::Entry& entry) {
        for (const store::ModelRelevance& relevance : entry.record.models) {
            model.weights[entry.id * columns + column_of[relevance.model]] +=
                share[relevance.model] * relevance.relevance;
        }
        return true;
    });

    std::vector<std::vector<double>> values(columns, std::vector<double>(problem.rows.size()));
    std::vector<double> decisions(columns);
    for (std::size_t i = 0; i < problem.rows.size(); ++i) {
        model.decision_values(problem.rows[i], decisions);
        for (std::size_t column = 0; column < columns; ++column) {
            values[column][i] = decisions[column];
        }
    }
    for (std::size_t column = 0; column < columns; ++column) {
        std::vector<std::pair<double, double>> bends;
        double positive_weight = 0;
        for (std::size_t i = 0; i < problem.rows.size(); ++i) {
            const std::string& label = problem.labels[problem.classes[i]];
            const double y = label == model.labels[column] ? 1 : -1;
            const double weight = options.weight(label);
            positive_weight += y > 0 ? weight : 0;
            bends.emplace_back(y - values[column][i], weight);
        }
        model.weights[model.features * columns + column] = best_bias(std::move(bends), positive_weight);
    }
    return model;
}

}  // namespace treeline::esl
