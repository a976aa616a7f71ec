#include "sparse/class_bias.hpp"

#include <algorithm>
#include <cmath>

namespace treeline::sparse {

namespace {

constexpr std::size_t kFragmentsAtOnce = 4096;  // whose columns are there at the same time

/// w.x' of every row and column of the model; of a row side by side.
std::vector<double> unseen_values(const FeatureRows& rows, const SparseModel& model) {
    const std::size_t classes = model.model.columns();
    std::vector<double> values(rows.size() * classes);
    const auto add = [&](std::size_t feature, std::span<const std::uint32_t> at, std::span<const double> x) {
        if (at.size() == 1 && rows.counts()[at[0]] == 1) {
            return;
        }
        for (std::size_t i = 0; i < at.size(); ++i) {
            for (std::size_t k = 0; k < classes; ++k) {
                values[at[i] * classes + k] += model.weight(feature, k) * x[i];
            }
        }
    };
    for (std::size_t begin = 0; begin < model.fragments.size(); begin += kFragmentsAtOnce) {
        fragment::FragmentList some;
        for (std::size_t f = begin; f < std::min(begin + kFragmentsAtOnce, model.fragments.size()); ++f) {
            some.add(model.fragments[f]);
        }
        const auto columns = rows.trees().columns(some);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            add(begin + i, columns[i].rows, columns[i].values);
        }
    }
    for (const FeatureRows::FlatColumn& flat : rows.flat()) {
        const std::size_t feature = model.fragments.size() + flat.feature - 1;
        if (feature < model.model.features) {
            add(feature, flat.column.rows, flat.column.values);
        }
    }
    return values;
}

/// The b with the least sum of losses: Newton's steps on its slope, which ascends, within a shrinking interval.
double best_bias(const linear::SparseProblem& problem, std::span<const double> values, double bias) {
    constexpr int kMostSteps = 200;
    constexpr double kEnough = 1e-12;
    double largest = 0;
    for (const double value : values) {
        largest = std::max(largest, std::abs(value));
    }
    // Beyond, one side has no loss; of logistic loss it has less than the other for any numbers of rows.
    const double far = problem.loss == linear::SparseLoss::kLogistic ? 50 : 1;
    double low = std::min(bias, -largest - far);
    double high = std::max(bias, largest + far);
    for (int step = 0; step < kMostSteps; ++step) {
        double slope = 0;
        double curvature = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const linear::Loss loss = problem.loss_at(problem.labels[i] * (values[i] + bias));
            slope += problem.costs[i] * problem.labels[i] * loss.slope;
            curvature += problem.costs[i] * loss.curvature;
        }
        if (slope == 0) {
            break;
        }
        (slope > 0 ? high : low) = bias;
        const double newton = curvature > 0 ? bias - slope / curvature : high;
        const double next = newton > low && newton < high ? newton : (low + high) / 2;
        const bool enough = std::abs(next - bias) <= kEnough * (1 + std::abs(bias));
        bias = next;
        if (enough) {
            break;
        }
    }
    return bias;
}

}  // namespace

std::vector<double> unseen_biases(const FeatureRows& rows, const SparseModel& model,
                                  std::span<const std::uint32_t> positives, double cost_factor,
                                  linear::SparseLoss loss) {
    const std::vector<double> all = unseen_values(rows, model);
    std::vector<double> biases;
    std::vector<double> values(rows.size());
    for (std::size_t k = 0; k < positives.size(); ++k) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            values[i] = all[i * positives.size() + k];
        }
        const std::vector<double> labels = rows.labels(positives[k]);
        const std::vector<double> costs = rows.costs(labels, cost_factor);
        biases.push_back(best_bias({.labels = labels, .costs = costs, .loss = loss}, values,
                                   model.weight(model.model.features, k)));
    }
    return biases;
}

}  // namespace treeline::sparse
