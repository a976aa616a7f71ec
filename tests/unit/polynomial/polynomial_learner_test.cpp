#include "polynomial/polynomial_learner.hpp"
#include "example/decision.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "example/class_set.hpp"
#include "polynomial/polynomial_classifier.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/kernel_pa.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;
using polynomial::MarginKind;
using polynomial::OnlineUpdate;

namespace {

constexpr auto kKinds = {MarginKind::kInverted, MarginKind::kExpanded, MarginKind::kSplit,
                         MarginKind::kSliced};

/// Margins of all rows of `data` under `model`, by kernel values one by one.
std::vector<double> plain_margins(const polynomial::PolynomialModel& model,
                                  const polynomial::BinaryDataset& data) {
    std::vector<double> margins(data.size() * model.outputs(), 0.0);
    for (std::size_t i = 0; i < data.size(); ++i) {
        for (std::size_t s = 0; s < model.size(); ++s) {
            const double kernel = std::pow(
                static_cast<double>(test::count_shared(model.rows().row(s), data.row(i))) + 1, model.degree);
            for (std::size_t o = 0; o < model.outputs(); ++o) {
                margins[i * model.outputs() + o] += kernel * model.coefficients[s * model.outputs() + o];
            }
        }
    }
    return margins;
}

void check_close(const std::vector<double>& a, const std::vector<double>& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        REQUIRE(a[i] == Approx(b[i]).epsilon(1e-7).margin(1e-9));
    }
}

}  // namespace

TEST_CASE("every method learns what plain kernel learning learns") {
    const std::size_t classes = GENERATE(2U, 4U);
    const unsigned degree = GENERATE(1U, 2U, 3U, 4U);
    const OnlineUpdate update = GENERATE(OnlineUpdate::kPa, OnlineUpdate::kPa1, OnlineUpdate::kPa2);
    const bool average = GENERATE(true, false);
    const auto norm = GENERATE(polynomial::StepNorm::kKernel, polynomial::StepNorm::kFeatures);
    if (norm == polynomial::StepNorm::kFeatures && update != OnlineUpdate::kPa1) {
        return;  // without a bound such steps overshoot more and more
    }
    base::Random random(degree * 10 + classes);
    auto data = test::random_binary_data(random, 120, 400, 12, classes);
    std::ranges::sort(data.labels);  // other names for the same classes: with these none of the rivals tie
    polynomial::PolynomialLearnerOptions options;
    options.margin.degree = degree;
    options.update = update;
    options.norm = norm;
    // Steps cut off at a small C are all alike, and rivals then tie exactly.
    options.c = classes > 2 ? 1 : 0.01;
    options.iterations = 4;
    options.average = average;
    const auto names = example::ClassSet(data.labels).model_names();
    std::vector<std::uint32_t> targets;
    for (const std::uint32_t label : data.label_of) {
        targets.push_back(
            static_cast<std::uint32_t>(std::ranges::find(names, data.labels[label]) - names.begin()));
    }
    const auto expected = test::plain_kernel_pa(data, targets, names.size(), options);
    for (const MarginKind kind : kKinds) {
        options.margin.kind = kind;
        for (const std::uint64_t explicit_features : {0, 3, 40}) {
            options.margin.explicit_features = explicit_features;
            const auto model = polynomial::train_polynomial(data, options);
            REQUIRE(model.labels == names);
            polynomial::PolynomialModel oracle = model;
            oracle.offsets = data.offsets;
            oracle.features = data.features;
            oracle.coefficients = average ? expected.mean : expected.last;
            check_close(plain_margins(model, data), plain_margins(oracle, data));
        }
    }
}

TEST_CASE("the perceptron counts mistakes the same way by every method") {
    base::Random random(7);
    const auto data = test::random_binary_data(random, 200, 300, 10, 2);
    polynomial::PolynomialLearnerOptions options;
    options.update = OnlineUpdate::kPerceptron;
    options.margin.degree = 3;
    options.iterations = 5;
    options.average = false;
    const auto expected = test::plain_kernel_pa(data, data.label_of, 2, options);
    for (const MarginKind kind : kKinds) {
        options.margin.kind = kind;
        polynomial::PolynomialTrainingReport report;
        const auto model = polynomial::train_polynomial(data, options, &report);
        CHECK(report.updates == report.mistakes);
        double total = 0;
        for (const double coefficient : model.coefficients) {
            total += std::abs(coefficient);
        }
        double expected_total = 0;
        for (const double coefficient : expected.last) {
            expected_total += std::abs(coefficient);
        }
        CHECK(total == expected_total);
    }
}

TEST_CASE("explicit features are halved when memory is short, and the model stays") {
    const std::size_t classes = GENERATE(2U, 3U);
    base::Random random(3);
    const auto data = test::random_binary_data(random, 1500, 3000, 14, classes);
    polynomial::PolynomialLearnerOptions options;
    options.margin.degree = 3;
    options.iterations = 3;
    options.margin.kind = GENERATE(MarginKind::kSplit, MarginKind::kSliced);
    polynomial::PolynomialTrainingReport free_report;
    const auto free_model = polynomial::train_polynomial(data, options, &free_report);
    CHECK(free_report.margins.explicit_features == data.ranking.size());
    REQUIRE(free_report.margins.explicit_bytes > 40000);
    options.margin.memory = free_report.margins.explicit_bytes / 3;
    polynomial::PolynomialTrainingReport report;
    const auto model = polynomial::train_polynomial(data, options, &report);
    CHECK(report.margins.explicit_features < data.ranking.size());
    CHECK(report.margins.explicit_bytes <= options.margin.memory);
    check_close(plain_margins(model, data), plain_margins(free_model, data));
    options.margin.kind = MarginKind::kExpanded;
    CHECK_THROWS_WITH(polynomial::train_polynomial(data, options),
                      ContainsSubstring("exceed the") && ContainsSubstring("of memory"));
}

TEST_CASE("slicing reuses partial margins and stops early") {
    base::Random random(11);
    const auto data = test::random_binary_data(random, 3000, 2000, 12, 2);
    polynomial::PolynomialLearnerOptions options;
    options.margin.degree = 3;
    options.iterations = 5;
    polynomial::PolynomialTrainingReport report;
    const auto model = polynomial::train_polynomial(data, options, &report);
    CHECK(report.margins.partial_margins > 1000);
    CHECK(report.margins.reused > 1000);
    CHECK(report.margins.terminated > 100);
}

TEST_CASE("shuffling depends on the seed alone") {
    base::Random random(5);
    const auto data = test::random_binary_data(random, 300, 200, 10, 2);
    polynomial::PolynomialLearnerOptions options;
    options.shuffle = true;
    const auto first = polynomial::train_polynomial(data, options);
    CHECK(polynomial::train_polynomial(data, options).coefficients == first.coefficients);
    options.seed = 2;
    CHECK(polynomial::train_polynomial(data, options).coefficients != first.coefficients);
}

TEST_CASE("the larger of two numbers is the positive label, one label may stand against the rest") {
    polynomial::BinaryDatasetBuilder builder;
    builder.add("-1", std::vector<std::uint64_t>{1});
    builder.add("+1", std::vector<std::uint64_t>{2});
    CHECK(polynomial::train_polynomial(builder.finish(), {}).labels == std::vector<std::string>{"+1", "-1"});
    for (const char* label : {"x", "y", "z"}) {
        builder.add(label, std::vector<std::uint64_t>{static_cast<std::uint64_t>(label[0])});
    }
    const auto data = builder.finish();
    polynomial::PolynomialLearnerOptions options;
    CHECK(polynomial::train_polynomial(data, options).outputs() == 3);
    options.positive = "y";
    const auto model = polynomial::train_polynomial(data, options);
    CHECK(model.outputs() == 1);
    CHECK(model.labels == std::vector<std::string>{"y", "rest"});
    CHECK(model.positive == "y");
    options.positive = "w";
    CHECK_THROWS_WITH(polynomial::train_polynomial(data, options),
                      ContainsSubstring("no example has the label 'w'"));
}

TEST_CASE("nothing can be learnt from no example or one label") {
    polynomial::BinaryDatasetBuilder builder;
    CHECK_THROWS_WITH(polynomial::train_polynomial(builder.finish(), {}),
                      ContainsSubstring("no training examples"));
    builder.add("x", std::vector<std::uint64_t>{1});
    CHECK_THROWS_WITH(polynomial::train_polynomial(builder.finish(), {}),
                      ContainsSubstring("needs two classes"));
}

TEST_CASE("rows without features are learnt by the constant part") {
    polynomial::BinaryDatasetBuilder builder;
    builder.add("+1", {});
    builder.add("-1", std::vector<std::uint64_t>{4});
    const auto data = builder.finish();
    for (const MarginKind kind : kKinds) {
        polynomial::PolynomialLearnerOptions options;
        options.margin.kind = kind;
        options.update = OnlineUpdate::kPa;
        options.average = false;
        const auto margins = plain_margins(polynomial::train_polynomial(data, options), data);
        CHECK(margins[0] > 0.9);
        CHECK(margins[1] < -0.9);
    }
}

TEST_CASE("the methods decide alike on slices of real data", "[data]") {
    const std::string name = GENERATE("jdep", "chunk", "a9a");
    const unsigned degree = GENERATE(2U, 3U);
    const auto whole =
        polynomial::read_binary_dataset(test::data_file("binary/" + name + ".train.svm.gz"), {});
    polynomial::BinaryDatasetBuilder builder;
    std::vector<std::uint64_t> row;
    for (std::size_t i = 0; i < 4000; ++i) {
        row.clear();
        for (const std::uint32_t rank : whole.row(i)) {
            row.push_back(whole.ranking.index(rank));
        }
        builder.add(whole.labels[whole.label_of[i]], row);
    }
    const auto data = builder.finish();
    polynomial::PolynomialLearnerOptions options;
    options.margin.degree = degree;
    options.c = 0.005;
    options.iterations = 3;
    std::vector<std::size_t> expected;
    for (const MarginKind kind : kKinds) {
        options.margin.kind = kind;
        const auto model = polynomial::train_polynomial(data, options);
        const polynomial::PolynomialClassifier classifier(model, std::uint64_t{1} << 28);
        const auto scratch = classifier.make_scratch();
        std::vector<double> margins(model.outputs());
        std::vector<std::size_t> decisions;
        std::vector<std::uint32_t> ranks;
        for (std::size_t i = 4000; i < 9000; ++i) {
            row.clear();
            for (const std::uint32_t rank : whole.row(i)) {
                row.push_back(whole.ranking.index(rank));
            }
            polynomial::rank_features(row, model.ranking, ranks);
            classifier.margins(ranks, margins, *scratch);
            decisions.push_back(example::decide(margins));
        }
        if (expected.empty()) {
            expected = decisions;
        }
        CHECK(decisions == expected);
    }
}

TEST_CASE("learning on, chunk by chunk, gives the model of one pass over all examples") {
    const std::size_t classes = GENERATE(2U, 4U);
    const bool average = GENERATE(true, false);
    const MarginKind kind = GENERATE(values(kKinds));
    base::Random random(7 + classes);
    auto data = test::random_binary_data(random, 120, 400, 12, classes);
    std::ranges::sort(data.labels);
    polynomial::PolynomialLearnerOptions options;
    options.iterations = 1;
    options.average = average;
    options.margin.kind = kind;
    const polynomial::PolynomialModel whole = polynomial::train_polynomial(data, options);

    std::vector<example::BinaryExample> examples;
    for (std::size_t i = 0; i < data.size(); ++i) {
        example::BinaryExample& one = examples.emplace_back();
        one.label = data.labels[data.label_of[i]];
        for (const std::uint32_t rank : data.row(i)) {
            one.features.push_back(data.ranking.index(rank));
        }
        std::ranges::sort(one.features);
    }
    polynomial::OnlineState state;
    state.labels = whole.labels;
    for (std::size_t begin = 0; begin < examples.size(); begin += 57) {
        polynomial::learn_more(
            state, std::span(examples).subspan(begin, std::min<std::size_t>(57, examples.size() - begin)),
            options);
    }
    REQUIRE(state.examples == examples.size());
    const polynomial::PolynomialModel pieces = polynomial::model_of(state, options);
    std::vector<double> margins;
    for (const example::BinaryExample& one : examples) {
        std::vector<std::uint32_t> row;
        polynomial::rank_features(one.features, pieces.ranking, row);
        for (std::size_t o = 0; o < pieces.outputs(); ++o) {
            double sum = 0;
            for (std::size_t s = 0; s < pieces.size(); ++s) {
                sum += std::pow(static_cast<double>(test::count_shared(pieces.rows().row(s), row)) + 1, 2) *
                       pieces.coefficients[s * pieces.outputs() + o];
            }
            margins.push_back(sum);
        }
    }
    check_close(margins, plain_margins(whole, data));

    examples[0].label = "another";
    REQUIRE_THROWS_WITH(polynomial::learn_more(state, std::span(examples).first(1), options),
                        ContainsSubstring("'another' is not among the classes"));
}
