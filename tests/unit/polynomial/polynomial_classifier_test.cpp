#include "polynomial/polynomial_classifier.hpp"

#include <cmath>
#include <map>

#include "base/parallel.hpp"
#include "polynomial/expanded_weights.hpp"
#include "polynomial/polynomial_kernel.hpp"
#include "polynomial/polynomial_learner.hpp"
#include "support/catch.hpp"
#include "support/kernel_pa.hpp"

using namespace treeline;

namespace {

polynomial::PolynomialModel random_model(std::uint64_t seed, unsigned degree, std::size_t classes) {
    base::Random random(seed);
    const auto data = test::random_binary_data(random, 800, 500, 10, classes);
    polynomial::PolynomialLearnerOptions options;
    options.margin.degree = degree;
    options.iterations = 2;
    return polynomial::train_polynomial(data, options);
}

double plain_margin(const polynomial::PolynomialModel& model, std::span<const std::uint32_t> row,
                    std::size_t output) {
    double margin = 0;
    for (std::size_t s = 0; s < model.size(); ++s) {
        margin +=
            model.coefficients[s * model.outputs() + output] *
            std::pow(static_cast<double>(test::count_shared(model.rows().row(s), row)) + 1, model.degree);
    }
    return margin;
}

}  // namespace

TEST_CASE("margins by splitting are sums of kernel values, with much memory and with none") {
    const unsigned degree = GENERATE(1U, 2U, 3U, 4U);
    const std::size_t classes = GENERATE(2U, 3U);
    const std::uint64_t memory = GENERATE(0U, 20000U, 1U << 30);
    const auto model = random_model(degree, degree, classes);
    const polynomial::PolynomialClassifier classifier(model, memory);
    const auto scratch = classifier.make_scratch();
    std::vector<double> margins(model.outputs());
    base::Random random(99);
    const auto other = test::random_binary_data(random, 60, 500, 14, 2);
    std::vector<std::vector<std::uint32_t>> rows;
    std::vector<double> one_by_one;
    for (std::size_t i = 0; i < other.size(); ++i) {
        std::vector<std::uint32_t> row(other.row(i).begin(), other.row(i).end());
        std::erase_if(row, [&](std::uint32_t rank) { return rank >= model.ranking.size(); });
        classifier.margins(row, margins, *scratch);
        rows.push_back(row);
        one_by_one.insert(one_by_one.end(), margins.begin(), margins.end());
        for (std::size_t output = 0; output < model.outputs(); ++output) {
            REQUIRE(margins[output] == Approx(plain_margin(model, row, output)).epsilon(1e-9).margin(1e-9));
        }
    }
    base::run_with_threads(3, [&] { CHECK(classifier.margins(rows) == one_by_one); });
}

TEST_CASE("all contributions of an example add up to its margin") {
    const unsigned degree = GENERATE(1U, 2U, 3U, 4U);
    const std::size_t classes = GENERATE(2U, 3U);
    const auto model = random_model(degree + 50, degree, classes);
    const polynomial::PolynomialClassifier classifier(model, GENERATE(0U, 1U << 30));
    for (std::size_t s = 0; s < 20; ++s) {
        const auto row = model.rows().row(s);
        for (std::size_t output = 0; output < model.outputs(); ++output) {
            const auto all = classifier.explain(row, output, 1000000);
            double total = 0;
            for (std::size_t i = 0; i < all.size(); ++i) {
                total += all[i].weight;
                CHECK(all[i].features.size() <= degree);
                CHECK((i == 0 || std::abs(all[i].weight) <= std::abs(all[i - 1].weight)));
            }
            CHECK(total == Approx(plain_margin(model, row, output)).margin(1e-9));
            CHECK(classifier.explain(row, output, 2).size() <= 2);
        }
    }
}

TEST_CASE("expanded weights are the weights of the explanation") {
    const std::size_t classes = GENERATE(2U, 3U);
    const auto model = random_model(5, 3, classes);
    std::map<std::vector<std::uint32_t>, std::vector<double>> weights;
    polynomial::expand_weights(model, [&](auto features, auto values) {
        std::vector<std::uint32_t> ascending(features.rbegin(), features.rend());
        const bool added =
            weights.emplace(ascending, std::vector<double>(values.begin(), values.end())).second;
        CHECK(added);
    });
    const polynomial::PolynomialClassifier classifier(model, 1U << 30);
    for (std::size_t s = 0; s < 10; ++s) {
        for (const auto& contribution : classifier.explain(model.rows().row(s), 0, 1000000)) {
            const auto found = weights.find(contribution.features);
            // A weight that cancels out may differ from zero by rounding.
            const double expected = found == weights.end() ? 0 : found->second[0];
            CHECK(contribution.weight == Approx(expected).margin(1e-12));
        }
    }
}
