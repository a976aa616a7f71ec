/// Combinations of trees and vectors: pair by pair, as rows, and against the definition.

#include "kernel/example_rows.hpp"

#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/example_kernel.hpp"
#include "kernel/quadratic.hpp"
#include "kernel/vector_values.hpp"
#include "support/catch.hpp"
#include "support/gram.hpp"
#include "support/kernel_trees.hpp"

using namespace treeline;
using namespace treeline::kernel;
using Catch::Matchers::WithinRel;

namespace {

/// Examples with none to three trees, some of them empty, and none to two vectors.
struct RandomExamples {
    test::RandomTreeOptions options{.most_nodes = 12};
    tree::Forest forest;
    example::ExampleSet set;
    std::vector<example::Example> examples;
    std::vector<std::uint32_t> all;

    RandomExamples(std::uint64_t seed, std::size_t count) {
        base::Random random(seed);
        for (std::size_t i = 0; i < count; ++i) {
            example::Example& example = examples.emplace_back();
            example.label = "+1";
            for (std::uint64_t trees = random.below(4); trees > 0; --trees) {
                tree::TreeText& tree = example.add_tree();
                if (random.below(10) > 0) {
                    tree = test::random_tree(random, options);
                }
            }
            for (std::uint64_t vectors = random.below(3); vectors > 0; --vectors) {
                example::SparseVector& vector = example.add_vector();
                for (std::uint32_t index = 1; index <= 6; ++index) {
                    if (random.below(2) == 0) {
                        vector.push_back({index, random.normal()});
                    }
                }
            }
            set.add(example, forest);
        }
        all.resize(count);
        std::iota(all.begin(), all.end(), 0U);
    }
    RandomExamples(const RandomExamples&) = delete;
    RandomExamples& operator=(const RandomExamples&) = delete;
};

double factor_value(const TreeKernel& kernel, const example::Example& x, const example::Example& y) {
    return sum_over_pairs(
        kernel.pairing, x.trees().size(), y.trees().size(), [&](std::size_t i, std::size_t j) {
            const auto& s = x.trees()[i];
            const auto& t = y.trees()[j];
            const double value = quadratic_kernel(s, t, kernel);
            return kernel.normalize && value > 0
                       ? value / std::sqrt(quadratic_kernel(s, s, kernel) * quadratic_kernel(t, t, kernel))
                       : value;
        });
}

double factor_value(const VectorKernel& kernel, const example::Example& x, const example::Example& y) {
    return sum_over_pairs(
        kernel.pairing, x.vectors().size(), y.vectors().size(), [&](std::size_t i, std::size_t j) {
            const auto& u = x.vectors()[i];
            const auto& v = y.vectors()[j];
            return vector_value(dot(u, v), kernel) * inverse_norm(u, kernel) * inverse_norm(v, kernel);
        });
}

/// Straight from the definition.
double expected_value(const KernelDescription& description, const example::Example& x,
                      const example::Example& y) {
    double sum = 0;
    for (const auto& term : description.terms) {
        double product = term.weight;
        for (const auto& factor : term.factors) {
            product *= std::visit([&](const auto& kernel) { return factor_value(kernel, x, y); }, factor);
        }
        sum += product;
    }
    return sum;
}

const auto kDescriptions = {"sst",
                            "0.5*sst",
                            "sst(pairs=all)",
                            "sst-bow(norm=none)",
                            "ptk(pairs=all,norm=none)",
                            "uptk(lambda=0.7,mu=0.2)",
                            "linear",
                            "linear(pairs=all,norm=none)",
                            "poly(d=2)",
                            "poly(d=3,s=0.5,c=2,pairs=all)",
                            "0.6*sst+poly(d=3)",
                            "sst*poly(d=2)",
                            "0.3*st(pairs=all)*linear+2*ptk+poly(d=2,norm=none)",
                            "sst(lambda=0.2)+sst(lambda=0.8)",
                            "sst*sst*linear*linear"};

}  // namespace

TEST_CASE("Kernels of examples follow their description") {
    const RandomExamples data(51, 40);
    for (const auto* text : kDescriptions) {
        INFO(text);
        const auto description = parse_kernel(text);
        ExampleKernel kernel(description, data.forest);
        const ExampleRows<double> doubles(description, data.forest, data.set, data.all);
        const ExampleRows<float> floats(description, data.forest, data.set, data.all);
        std::vector<double> row(data.all.size());
        std::vector<float> float_row(data.all.size());
        for (std::size_t x = 0; x < data.examples.size(); ++x) {
            doubles.row(data.set, x, row);
            floats.row(data.set, x, float_row);
            for (std::size_t y = 0; y < data.examples.size(); ++y) {
                const double expected = expected_value(description, data.examples[x], data.examples[y]);
                const double scale = std::abs(expected) + 1;  // terms of either sign may cancel
                REQUIRE(std::abs(kernel.value(data.set, x, data.set, y) - expected) < 1e-9 * scale);
                REQUIRE(std::abs(row[y] - expected) < 1e-9 * scale);
                REQUIRE(std::abs(static_cast<double>(float_row[y]) - expected) < 1e-5 * scale);
            }
        }
    }
}

TEST_CASE("Rows of examples of another set, against some of the targets") {
    const RandomExamples data(52, 30);
    RandomExamples grown(53, 10);
    tree::Forest forest;
    example::ExampleSet targets;
    example::ExampleSet others;
    for (const auto& example : data.examples) {
        targets.add(example, forest);
    }
    const std::vector<std::uint32_t> chosen{3, 4, 17, 29};
    const auto description = parse_kernel("sst-bow+linear");
    const ExampleRows<double> rows(description, forest, targets, chosen);
    for (const auto& example : grown.examples) {
        others.add(example, forest);
    }
    std::vector<double> row(chosen.size());
    for (std::size_t x = 0; x < others.size(); ++x) {
        rows.row(others, x, row);
        for (std::size_t t = 0; t < chosen.size(); ++t) {
            const double expected = expected_value(description, grown.examples[x], data.examples[chosen[t]]);
            CHECK(std::abs(row[t] - expected) < 1e-9);
        }
    }
}

TEST_CASE("Rows of examples are the same bytes for any number of threads") {
    const RandomExamples data(54, 60);
    for (const auto* text : kDescriptions) {
        INFO(text);
        const ExampleRows<float> rows(parse_kernel(text), data.forest, data.set, data.all);
        for (std::size_t x = 0; x < 10; ++x) {
            std::vector<float> one(data.all.size());
            std::vector<float> four(data.all.size());
            base::run_with_threads(1, [&] { rows.row(data.set, x, one); });
            base::run_with_threads(4, [&] { rows.row(data.set, x, four); });
            CHECK(one == four);
        }
    }
}

TEST_CASE("Gram matrices of combinations are positive semi-definite") {
    const RandomExamples data(55, 50);
    for (const auto* text : kDescriptions) {
        INFO(text);
        const ExampleRows<double> rows(parse_kernel(text), data.forest, data.set, data.all);
        std::vector<std::vector<double>> gram(data.all.size(), std::vector<double>(data.all.size()));
        for (std::size_t x = 0; x < gram.size(); ++x) {
            rows.row(data.set, x, gram[x]);
        }
        CHECK(test::asymmetry(gram) < 1e-9);
        CHECK(test::smallest_pivot(gram, 1e-6) > 0);
    }
}

TEST_CASE("A kernel on what no example has is refused") {
    tree::Forest forest;
    example::ExampleSet trees;
    example::Example example;
    example.label = "+1";
    example.add_tree() = test::tree_of("(A b)");
    trees.add(example, forest);
    CHECK_NOTHROW(require_fitting(parse_kernel("sst"), trees));
    CHECK_THROWS_WITH(require_fitting(parse_kernel("sst+linear"), trees),
                      Catch::Matchers::ContainsSubstring("compares vectors, but no example has any"));
    example::ExampleSet vectors;
    example = {};
    example.label = "+1";
    vectors.add(example, forest);
    CHECK_THROWS_WITH(require_fitting(parse_kernel("sst"), vectors),
                      Catch::Matchers::ContainsSubstring("compares trees, but no example has any"));
    CHECK_THROWS_WITH(require_fitting(parse_kernel("sst"), example::ExampleSet()),
                      Catch::Matchers::ContainsSubstring("there are no examples"));
}
