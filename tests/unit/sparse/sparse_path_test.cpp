#include "sparse/sparse_path.hpp"

#include <cmath>

#include "support/catch.hpp"
#include "unit/sparse/enumerated.hpp"

using namespace treeline;
using namespace treeline::test;
using Catch::Matchers::WithinRel;
using linear::SparseLoss;

namespace {

kernel::TreeKernel kernel_of(const std::string& text) {
    return kernel::require_single_tree_kernel(kernel::parse_kernel(text), "the test");
}

const sparse::QuestionClasses kSigned{.names = {"+1", "-1"}, .positives = {0}, .negative = 1};

}  // namespace

TEST_CASE("Below the first C of a path no feature has a weight, above it one has") {
    const std::string name = GENERATE("st", "sst", "sst-bow", "ptk", "sst(norm=none)");
    const SparseLoss loss = GENERATE(SparseLoss::kSquaredHinge, SparseLoss::kLogistic);
    CAPTURE(name);
    const kernel::TreeKernel kernel = kernel_of(name);
    base::Random random(5);
    for (int round = 0; round < 20; ++round) {
        const Enumerated data(random, kernel, {});
        sparse::FeatureRows rows = data.rows(kernel);
        sparse::LearnerOptions options;
        options.loss = loss;
        options.gap = 1e-9;
        sparse::PathLearner learner(rows, kSigned, 1, options);
        const double first = learner.first_cost();
        CHECK(learner.learn(0.999 * first).features == 0);
        CHECK(learner.learn(1.01 * first).features > 0);
    }
}

TEST_CASE("A step of a path has the optimum that learning from nothing has") {
    const kernel::TreeKernel kernel = kernel_of("sst");
    base::Random random(6);
    for (int round = 0; round < 20; ++round) {
        const Enumerated data(random, kernel, {});
        sparse::FeatureRows rows = data.rows(kernel);
        sparse::LearnerOptions options;
        options.gap = 1e-8;
        sparse::PathLearner along(rows, kSigned, 1, options);
        for (const double c : sparse::geometric_path(along.first_cost(), 5, 6)) {
            const sparse::PathStep step = along.learn(c);
            sparse::PathLearner alone(rows, kSigned, 1, options);
            CHECK(step.reached());
            CHECK_THAT(step.primal(), WithinRel(alone.learn(c).primal(), 2e-8));
        }
    }
}

TEST_CASE("Rows held out are decided as the sum of weights and values says") {
    const kernel::TreeKernel kernel = kernel_of("sst-bow");
    base::Random random(7);
    for (int round = 0; round < 20; ++round) {
        const Enumerated data(random, kernel, {});
        sparse::FeatureRows rows = data.rows(kernel);
        sparse::PathLearner learner(rows, kSigned, 1, {});
        const sparse::PathStep step = learner.learn(3);
        const sparse::FeatureRows same = data.rows(kernel);
        sparse::HeldOut held_out(same, kSigned);
        evaluate::Metrics metrics;
        held_out.judge(step.fits, learner.columns(), metrics);
        std::vector<double> values(data.labels.size(), step.fits[0].bias);
        for (const sparse::ColumnWeight& item : step.fits[0].weights) {
            const auto fragment = learner.columns().fragment(item.column);
            const std::string text =
                fragment ? fragment::to_text(*fragment, data.forest.symbols())
                         : "flat " + std::to_string(learner.columns().flat_feature(item.column));
            const linear::SparseColumn& column = data.features.at(text);
            for (std::size_t k = 0; k < column.rows.size(); ++k) {
                values[column.rows[k]] += item.weight * column.values[k];
            }
        }
        std::uint64_t right = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            right += (values[i] > 0) == (data.labels[i] > 0);
        }
        CHECK(metrics.confusion("+1", "+1") + metrics.confusion("-1", "-1") == right);
        CHECK(metrics.examples() == values.size());
    }
}

TEST_CASE("A path has equal ratios, and the best C is the top of the parabola") {
    const std::vector<double> path = sparse::geometric_path(1 / 1.05, 16, 5);
    REQUIRE(path.size() == 5);
    for (std::size_t k = 0; k < 5; ++k) {
        CHECK_THAT(path[k], WithinRel(std::pow(2.0, static_cast<double>(k)), 1e-12));
    }
    CHECK(sparse::geometric_path(3, 2, 5).size() == 1);
    CHECK(sparse::best_cost(path, std::vector<double>{9, 8, 7}) == path[0]);
    CHECK(sparse::best_cost(path, std::vector<double>{1, 2, 3}) == path[2]);
    CHECK_THAT(sparse::best_cost(path, std::vector<double>{1, 2, 1}), WithinRel(2.0, 1e-12));
    CHECK_THAT(sparse::best_cost(path, std::vector<double>{1, 2, 2}), WithinRel(2 * std::sqrt(2.0), 1e-12));
    CHECK_THAT(sparse::best_cost(path, std::vector<double>{1, 3, 2}),
               WithinRel(2 * std::pow(2.0, 1.0 / 6), 1e-12));
}

TEST_CASE("A search ends beyond the best C, sooner where all that follows is worse") {
    std::vector<double> path;
    for (int k = 0; k <= 10; ++k) {
        path.push_back(std::pow(2.0, k));
    }
    const auto ends = [&](const std::vector<double>& path_, const std::vector<double>& qualities) {
        return sparse::is_past_best(path_, qualities);
    };
    CHECK_FALSE(ends(path, {}));
    CHECK_FALSE(ends(path, {5, 4, 4, 4, 4, 4, 4, 4, 4, 4}));  // nothing is better than the first
    CHECK_FALSE(ends(path, {1, 2, 1, 1}));                    // small C: 2^4 is eight times 2^1
    CHECK(ends(path, {1, 2, 1, 1, 1}));
    CHECK_FALSE(ends(path, {1, 2, 3, 4, 5, 6, 5}));  // one value is not enough
    CHECK(ends(path, {1, 2, 3, 4, 5, 6, 5, 4}));
    CHECK_FALSE(ends(path, {1, 2, 3, 4, 5, 6, 6, 4}));  // one as good
    CHECK(ends(path, {1, 2, 3, 4, 5, 6, 6, 4, 4}));
    CHECK_FALSE(ends(path, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9}));  // the path has ended
    const std::vector<double> coarse{1, 10, 100, 1000, 10000};
    CHECK_FALSE(ends(coarse, {1, 2, 1}));  // two values even where they are far apart
    CHECK(ends(coarse, {1, 2, 1, 1}));
}
