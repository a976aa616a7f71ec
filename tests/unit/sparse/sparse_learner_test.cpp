#include "sparse/sparse_learner.hpp"

#include <cmath>

#include "base/parallel.hpp"
#include "fragment/pricing.hpp"
#include "sparse/sparse_model.hpp"
#include "support/catch.hpp"
#include "unit/sparse/enumerated.hpp"

using namespace treeline;
using namespace treeline::test;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using linear::SparseLoss;

namespace {

kernel::TreeKernel kernel_of(const std::string& text) {
    return kernel::require_single_tree_kernel(kernel::parse_kernel(text), "the test");
}

/// The objective of a fit, from the enumerated features alone.
double objective(const Enumerated& data, const sparse::SparseLearner& learner, const sparse::SparseFit& fit,
                 const sparse::LearnerOptions& options) {
    std::vector<double> values(data.labels.size(), fit.bias);
    double sum = 0;
    for (const sparse::ColumnWeight& item : fit.weights) {
        const auto fragment = learner.columns().fragment(item.column);
        const std::string name = fragment
                                     ? fragment::to_text(*fragment, data.forest.symbols())
                                     : "flat " + std::to_string(learner.columns().flat_feature(item.column));
        const linear::SparseColumn& column = data.features.at(name);
        for (std::size_t k = 0; k < column.rows.size(); ++k) {
            values[column.rows[k]] += item.weight * column.values[k];
        }
        sum += std::abs(item.weight) + options.l2 / 2 * item.weight * item.weight;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double margin = data.labels[i] * values[i];
        const double loss = options.loss == SparseLoss::kLogistic ? std::log1p(std::exp(-margin))
                                                                  : std::pow(std::max(0.0, 1 - margin), 2);
        sum += options.c * data.costs[i] * loss;
    }
    return sum;
}

struct Learned {
    sparse::FeatureRows rows;
    sparse::SparseLearner learner;
    sparse::SparseFit fit;

    Learned(const Enumerated& data, const kernel::TreeKernel& kernel, const sparse::LearnerOptions& options)
        : rows(data.rows(kernel)), learner(rows) {
        const std::vector<double> labels = rows.labels(0);
        fit = learner.fit(labels, rows.costs(labels, 1), options);
    }
};

}  // namespace

TEST_CASE("Pricing finds the largest scores of all fragments, and columns are those of the enumeration") {
    const std::string name =
        GENERATE("st", "sst", "st-bow", "sst-bow", "ptk", "uptk", "sst(lambda=1)", "sst(norm=none)");
    CAPTURE(name);
    const kernel::TreeKernel kernel = kernel_of(name);
    base::Random random(11);
    for (int round = 0; round < 60; ++round) {
        const Enumerated data(random, kernel, {});
        const sparse::FeatureRows rows = data.rows(kernel);
        std::vector<double> coefficients(rows.size());
        for (double& coefficient : coefficients) {
            coefficient = random.below(3) == 0 ? 0 : random.normal();
        }
        double largest = 0;
        sparse::FeatureRows priced_rows = data.rows(kernel);
        const fragment::Priced all = priced_rows.trees().price(coefficients, {.top = 0, .threshold = 0});
        const auto columns = rows.trees().columns(all.fragments);
        for (std::size_t f = 0; f < all.fragments.size(); ++f) {
            const std::string text = fragment::to_text(all.fragments[f], data.forest.symbols());
            CAPTURE(text);
            double score = 0;
            for (std::size_t k = 0; k < columns[f].rows.size(); ++k) {
                score += coefficients[columns[f].rows[k]] * columns[f].values[k];
            }
            REQUIRE_THAT(all.scores[f], WithinAbs(score, 1e-12));
            largest = std::max(largest, std::abs(score));
            const linear::SparseColumn& expected = data.features.at(text);
            REQUIRE(columns[f].rows.size() <= expected.rows.size());
            REQUIRE_THAT(columns[f].values[0], WithinAbs(expected.values[0], 1e-12));
        }
        REQUIRE_THAT(all.largest(), WithinAbs(largest, 1e-12));
        // The list of those above a threshold is a beginning of the whole list; so is that of the best few.
        for (const bool from_above : {true, false}) {
            const auto few = priced_rows.trees().price(
                coefficients, {.top = 5, .threshold = 0.1, .from_above = from_above});
            for (std::size_t f = 0; f < few.scores.size(); ++f) {
                REQUIRE(few.scores[f] == all.scores[f]);
            }
            REQUIRE((few.scores.size() == 5 || few.scores.size() == all.scores.size() ||
                     std::abs(all.scores[few.scores.size()]) < 0.1));
            if (few.scores.size() < all.scores.size()) {
                REQUIRE(std::abs(all.scores[few.scores.size()]) <= few.unlisted);
            }
            const auto without = priced_rows.trees().price(
                coefficients, {.top = 5, .threshold = 0.1, .skip_repeats = true, .from_above = from_above});
            REQUIRE(without.largest() == few.largest());
        }
    }
}

TEST_CASE("The optimum is that of the enumerated problem") {
    const std::string name = GENERATE("st", "sst", "sst-bow", "ptk", "uptk", "sst(lambda=1)");
    const auto loss = GENERATE(SparseLoss::kSquaredHinge, SparseLoss::kLogistic);
    const double l2 = GENERATE(0.0, 0.3);
    CAPTURE(name, loss, l2);
    const kernel::TreeKernel kernel = kernel_of(name);
    base::Random random(5);
    for (int round = 0; round < 12; ++round) {
        const Enumerated data(random, kernel,
                              {.examples = 14, .vectors = round % 2 == 0, .costs = round % 3 == 0});
        const double c = std::array{0.1, 1.0, 20.0}[static_cast<std::size_t>(round) % 3];
        const auto exact = data.solve(c, l2, loss, 1e-10);
        CAPTURE(round, c, exact.primal, exact.gap());
        const sparse::LearnerOptions options{.c = c, .l2 = l2, .loss = loss, .gap = 1e-9};
        const Learned learned(data, kernel, options);
        CHECK(learned.fit.reached);
        CHECK_THAT(learned.fit.primal, WithinRel(exact.primal, 1e-8));
        CHECK_THAT(objective(data, learned.learner, learned.fit, options),
                   WithinRel(learned.fit.primal, 1e-10));
    }
}

TEST_CASE("The certificate never lies") {
    const std::string name = GENERATE("st", "sst", "sst-bow", "ptk", "uptk");
    CAPTURE(name);
    const kernel::TreeKernel kernel = kernel_of(name);
    base::Random random(23);
    constexpr int kRounds = 2100;  // times five kernels
    for (int round = 0; round < kRounds; ++round) {
        const Enumerated data(
            random, kernel,
            {.examples = 6, .most_nodes = 6, .vectors = round % 5 == 0, .costs = round % 3 == 0});
        sparse::LearnerOptions options;
        options.c = std::pow(10.0, 4 * random.uniform() - 2);
        options.l2 = round % 4 == 0 ? random.uniform() : 0;
        options.loss = round % 2 == 0 ? SparseLoss::kSquaredHinge : SparseLoss::kLogistic;
        options.gap = std::pow(10.0, -6 * random.uniform());
        options.max_rounds = 1 + random.below(4);
        const auto exact = data.solve(options.c, options.l2, options.loss, 1e-9);
        const Learned learned(data, kernel, options);
        CAPTURE(round, options.c, options.l2, options.gap, exact.primal, exact.dual, learned.fit.primal,
                learned.fit.dual);
        REQUIRE(learned.fit.dual <= exact.primal * (1 + 1e-12));
        REQUIRE(learned.fit.primal >= exact.dual * (1 - 1e-12));
        REQUIRE((!learned.fit.reached || learned.fit.gap() <= options.gap));
    }
}

TEST_CASE("A start from a sample of the rows leads to the same optimum, for any number of threads") {
    const kernel::TreeKernel kernel = kernel_of("sst");
    base::Random random(31);
    tree::Forest forest;
    example::ExampleSet set;
    std::vector<std::uint32_t> all;
    std::vector<std::uint32_t> classes;
    // More trees than kSampleAbove, all of them different: the word tells the number.
    constexpr std::uint32_t kCount = sparse::SparseLearner::kSampleAbove + 1000;
    for (std::uint32_t i = 0; i < kCount; ++i) {
        const std::uint64_t a = random.below(6);
        const std::uint64_t b = random.below(6);
        const std::string text =
            "(S (A" + std::to_string(a) + " x) (B" + std::to_string(b) + " w" + std::to_string(i) + "))";
        example::Example example;
        example.add_tree() = tree_of(text);
        auto& vector = example.add_vector();
        vector.push_back({1 + static_cast<std::uint32_t>(random.below(5)), 1.0});
        const bool positive = ((a * b) % 3 == 1) != (random.below(20) == 0) || vector[0].index == 4;
        example.label = positive ? "+1" : "-1";
        set.add(example, forest);
        all.push_back(i);
        classes.push_back(positive ? 0 : 1);
    }
    const auto learn = [&](std::size_t threads, bool sampled) {
        sparse::SparseFit fit;
        base::run_with_threads(threads, [&] {
            sparse::FeatureRows rows(forest, set, all, classes, kernel, fragment::FlatFeatures::kUnit);
            sparse::SparseLearner learner(rows);
            const std::vector<double> labels = rows.labels(0);
            const sparse::SparseFit nothing;
            fit = learner.fit(labels, rows.costs(labels, 2), {.c = 0.1, .gap = 1e-7},
                              sampled ? nullptr : &nothing);
        });
        return fit;
    };
    const sparse::SparseFit sampled = learn(2, true);
    const sparse::SparseFit one = learn(1, true);
    const sparse::SparseFit direct = learn(2, false);
    CHECK(sampled.reached);
    CHECK(direct.reached);
    CHECK(sampled.weights.size() > 5);
    CHECK_THAT(sampled.primal, WithinRel(direct.primal, 2e-7));
    CHECK(sampled.primal == one.primal);
    CHECK(sampled.dual == one.dual);
    CHECK(sampled.bias == one.bias);
    REQUIRE(sampled.weights.size() == one.weights.size());
    for (std::size_t i = 0; i < one.weights.size(); ++i) {
        CHECK(sampled.weights[i].weight == one.weights[i].weight);
    }
}
