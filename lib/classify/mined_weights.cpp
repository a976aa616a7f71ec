#include "classify/mined_weights.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "example/class_set.hpp"

namespace treeline::classify {

using linear::LinearModel;

namespace {

/// Rows of one class by ascending score, with running sums of weights and of weighted scores.
class ScoredRows {
  public:
    explicit ScoredRows(std::vector<std::pair<double, double>> scores_and_weights)
        : rows_(std::move(scores_and_weights)), weights_(rows_.size() + 1), scores_(rows_.size() + 1) {
        std::ranges::sort(rows_);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            weights_[i + 1] = weights_[i] + rows_[i].second;
            scores_[i + 1] = scores_[i] + rows_[i].second * rows_[i].first;
        }
    }

    /// sum weight * max(0, 1 - (a score + b)) for a > 0.
    [[nodiscard]] double loss(double a, double b) const {
        const auto end = std::ranges::lower_bound(rows_, (1 - b) / a, {}, &std::pair<double, double>::first);
        const auto wrong = static_cast<std::size_t>(end - rows_.begin());
        return (1 - b) * weights_[wrong] - a * scores_[wrong];
    }

  private:
    std::vector<std::pair<double, double>> rows_;
    std::vector<double> weights_;
    std::vector<double> scores_;
};

/// Where a convex function is least between two numbers.
template <typename Function>
double least(double low, double high, const Function& function) {
    constexpr int kSteps = 60;
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    double left = high - ratio * (high - low);
    double right = low + ratio * (high - low);
    double left_value = function(left);
    double right_value = function(right);
    for (int step = 0; step < kSteps; ++step) {
        if (left_value <= right_value) {
            high = right;
            right = left;
            right_value = left_value;
            left = high - ratio * (high - low);
            left_value = function(left);
        } else {
            low = left;
            left = right;
            left_value = right_value;
            right = low + ratio * (high - low);
            right_value = function(right);
        }
    }
    return (low + high) / 2;
}

struct Fit {
    double scale = 1;
    double bias = 0;
};

/// The scale and bias of least hinge loss. Negative rows come with their scores negated, so that both classes
/// have the same loss: max(0, 1 - y (a s + b)) = max(0, 1 - (a (y s) + y b)).
Fit fit_hinge(const ScoredRows& positive, const ScoredRows& negative, double largest) {
    constexpr double kLargestScale = 1e4;  // of scores of size 1: data that can be told apart want no end
    const auto best_bias = [&](double scale) {
        const double reach = scale * largest + 1;
        return least(-reach, reach,
                     [&](double b) { return positive.loss(scale, b) + negative.loss(scale, -b); });
    };
    const double unit = largest > 0 ? 1 / largest : 1;
    const double scale =
        unit * std::exp(least(std::log(1e-3), std::log(kLargestScale), [&](double log_scale) {
            const double a = unit * std::exp(log_scale);
            const double b = best_bias(a);
            return positive.loss(a, b) + negative.loss(a, -b);
        }));
    return {scale, best_bias(scale)};
}

}  // namespace

LinearModel mined_model(const store::Dictionary& dictionary, const linear::LinearProblem& problem,
                        const linear::LinearOptions& options) {
    LinearModel model;
    model.solver = linear::LinearSolver::kL2rL1lossSvcDual;
    model.labels = linear::model_labels(problem);
    model.features = problem.features;
    model.bias = 1;
    const auto& listed = dictionary.info().models;
    const auto models_of = [&](const std::string& label) {
        return std::ranges::count_if(
            listed, [&](const auto& item) { return example::same_class(item.label, label); });
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
                              "; train a model instead");
        }
        for (std::size_t i = 0; i < listed.size(); ++i) {
            if (example::same_class(listed[i].label, model.labels[column])) {
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
        std::vector<std::pair<double, double>> positive;
        std::vector<std::pair<double, double>> negative;
        double largest = 0;
        for (std::size_t i = 0; i < problem.rows.size(); ++i) {
            const std::string& label = problem.labels[problem.classes[i]];
            const double score = values[column][i];
            const double weight = options.weight(label) * problem.weight(i);
            largest = std::max(largest, std::abs(score));
            if (example::same_class(label, model.labels[column])) {
                positive.emplace_back(score, weight);
            } else {
                negative.emplace_back(-score, weight);
            }
        }
        const Fit fit = fit_hinge(ScoredRows(std::move(positive)), ScoredRows(std::move(negative)), largest);
        for (std::uint64_t feature = 0; feature < model.features; ++feature) {
            model.weights[feature * columns + column] *= fit.scale;
        }
        model.weights[model.features * columns + column] = fit.bias;
    }
    return model;
}

}  // namespace treeline::classify
