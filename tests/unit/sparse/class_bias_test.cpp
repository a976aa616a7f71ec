#include "sparse/class_bias.hpp"

#include "sparse/sparse_learner.hpp"
#include "support/catch.hpp"
#include "unit/sparse/enumerated.hpp"

using namespace treeline;
using namespace treeline::test;

namespace {

/// w.x' of every example, from the enumerated features alone.
std::vector<double> values_without_own(const Enumerated& data, const sparse::SparseModel& model) {
    std::vector<double> values(data.labels.size());
    for (std::size_t feature = 0; feature < model.model.features; ++feature) {
        const std::size_t fragments = model.fragments.size();
        const auto found = data.features.find(
            feature < fragments ? fragment::to_text(model.fragments[feature], data.forest.symbols())
                                : "flat " + std::to_string(feature - fragments + 1));
        if (found != data.features.end() && found->second.rows.size() > 1) {
            for (std::size_t k = 0; k < found->second.rows.size(); ++k) {
                values[found->second.rows[k]] += model.weight(feature, 0) * found->second.values[k];
            }
        }
    }
    return values;
}

}  // namespace

TEST_CASE("The bias for unseen trees is the best one where each example lacks what it alone has") {
    const auto loss = GENERATE(linear::SparseLoss::kSquaredHinge, linear::SparseLoss::kLogistic);
    const kernel::TreeKernel kernel =
        kernel::require_single_tree_kernel(kernel::parse_kernel("sst(lambda=0.4)"), "the test");
    base::Random random(5);
    bool moved = false;
    for (int round = 0; round < 40; ++round) {
        const Enumerated data(random, kernel, {.vectors = round % 2 == 0, .costs = true});
        sparse::FeatureRows rows = data.rows(kernel);
        sparse::SparseLearner learner(rows);
        const std::vector<double> labels = rows.labels(0);
        const sparse::SparseFit fit =
            learner.fit(labels, rows.costs(labels, 1), {.c = 8, .l2 = 1, .loss = loss});
        const sparse::SparseModel model = sparse::make_model(learner.columns(), data.forest.symbols(),
                                                             std::span(&fit, 1), {"+1", "-1"}, loss);
        const std::vector<std::uint32_t> positives{0};
        const double bias = sparse::unseen_biases(rows, model, positives, 1, loss)[0];
        const std::vector<double> values = values_without_own(data, model);
        const linear::SparseProblem problem{.labels = data.labels, .costs = data.costs, .loss = loss};
        const auto losses = [&](double b) {
            double sum = 0;
            for (std::size_t i = 0; i < values.size(); ++i) {
                sum += data.costs[i] * problem.loss_at(data.labels[i] * (values[i] + b)).value;
            }
            return sum;
        };
        for (const double step : {-1.0, -0.1, -1e-3, 1e-3, 0.1, 1.0}) {
            REQUIRE(losses(bias) <= losses(bias + step) + 1e-9);
        }
        moved = moved || std::abs(bias - fit.bias) > 0.01;
    }
    REQUIRE(moved);
}
