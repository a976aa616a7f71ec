#include <cmath>
#include <set>

#include "fragment/pricing.hpp"
#include "support/catch.hpp"
#include "unit/sparse/enumerated.hpp"

using namespace treeline;
using namespace treeline::test;
using linear::SparseLoss;

namespace {

constexpr std::size_t kMost = 100000;

/// All fragments of random rows with their columns, and the optimum of a random problem over them.
struct Solved {
    Enumerated data;
    sparse::FeatureRows rows;
    std::vector<double> labels;
    std::vector<double> costs;
    linear::SparseProblem problem;
    fragment::FragmentList fragments;
    std::vector<fragment::FragmentColumn> columns;
    std::vector<linear::SparseColumn> values;
    std::vector<const linear::SparseColumn*> pointers;
    linear::SparseSolution best;

    Solved(base::Random& random, const kernel::TreeKernel& kernel, SparseLoss loss, double l2)
        : data(random, kernel, {.examples = 7, .most_nodes = 7, .costs = random.below(2) == 0}),
          rows(data.rows(kernel)),
          labels(rows.labels(0)),
          costs(rows.costs(labels, 1)),
          problem{labels, costs, std::pow(10.0, 3 * random.uniform() - 1), l2, loss} {
        // Any fragment may have a weight in a large enough ball.
        const std::vector<double> nothing(rows.size());
        const auto all = rows.trees().screen(nothing, costs, 1e9, kMost, {});
        REQUIRE(all);
        REQUIRE(all->fragments.size() == data.features.size());
        fragments = all->fragments;
        columns = rows.trees().columns(fragments);
        for (const fragment::FragmentColumn& column : columns) {
            values.push_back({column.rows, column.values});
        }
        for (const linear::SparseColumn& column : values) {
            pointers.push_back(&column);
        }
        linear::solve_sparse(problem, pointers, {.gap = 1e-11, .max_rounds = 1000}, best);
    }

    /// A point of the dual near the optimum or far from it, and how much its value is below that of the optimum.
    [[nodiscard]] std::pair<std::vector<double>, double> point(base::Random& random) const {
        const double noise = std::pow(10.0, -3 * random.uniform());
        std::vector<double> margins = best.margins;
        for (double& margin : margins) {
            margin += noise * random.normal();
        }
        std::vector<double> theta = linear::dual_variables(problem, margins);
        linear::balance(problem, theta);
        double largest = 0;
        for (const linear::SparseColumn* column : pointers) {
            largest = std::max(largest, std::abs(linear::dual_score(problem, *column, theta)));
        }
        const double scale = linear::dual_scale(problem, theta, largest);
        for (double& value : theta) {
            value *= scale;
        }
        return {theta, best.primal - linear::sparse_dual(problem, theta)};
    }
};

}  // namespace

TEST_CASE("No fragment with a weight at the optimum is ever screened out") {
    const std::string name = GENERATE("st", "sst", "st-bow", "sst-bow", "sst(lambda=1)", "sst(norm=none)");
    const SparseLoss loss = GENERATE(SparseLoss::kSquaredHinge, SparseLoss::kLogistic);
    CAPTURE(name, loss);
    const kernel::TreeKernel kernel =
        kernel::require_single_tree_kernel(kernel::parse_kernel(name), "the test");
    base::Random random(41);
    std::size_t left_out = 0;
    double closest = 0;  // of the distance to the radius
    constexpr int kRounds = 400;
    for (int round = 0; round < kRounds; ++round) {
        Solved solved(random, kernel, loss, round % 4 == 0 ? random.uniform() : 0);
        const linear::SparseProblem& problem = solved.problem;
        const auto [theta, distance] = solved.point(random);
        const double radius = linear::dual_radius(problem, distance);
        std::vector<double> coefficients;
        double square = 0;
        for (std::size_t i = 0; i < theta.size(); ++i) {
            coefficients.push_back(problem.labels[i] * theta[i]);
            square += std::pow(theta[i] - solved.best.theta[i], 2) / problem.costs[i];
        }
        CAPTURE(round, problem.c, problem.l2, solved.best.gap(), radius, std::sqrt(square));
        REQUIRE(std::sqrt(square) <= radius * (1 + 1e-6) + 1e-4 * std::sqrt(problem.c * solved.best.primal));
        closest = std::max(closest, radius > 1e-2 ? std::sqrt(square) / radius : 0);

        const auto screened =
            solved.rows.trees().screen(coefficients, problem.costs, radius, kMost, {.threshold = 1 - 1e-9});
        REQUIRE(screened);
        std::set<std::string> kept;
        for (std::size_t f = 0; f < screened->fragments.size(); ++f) {
            kept.insert(fragment::to_text(screened->fragments[f], solved.data.forest.symbols()));
        }
        left_out += solved.fragments.size() - kept.size();
        for (std::size_t f = 0; f < solved.fragments.size(); ++f) {
            const std::string text = fragment::to_text(solved.fragments[f], solved.data.forest.symbols());
            const linear::SparseColumn& column = solved.values[f];
            double extent = 0;
            for (std::size_t k = 0; k < column.rows.size(); ++k) {
                extent += problem.costs[column.rows[k]] * column.values[k] * column.values[k];
            }
            const double reach =
                std::abs(linear::dual_score(problem, column, theta)) + radius * std::sqrt(extent);
            CAPTURE(text, solved.best.weights[f], reach);
            REQUIRE((kept.contains(text) || std::abs(solved.best.weights[f]) < 1e-6));
            REQUIRE((kept.contains(text) || reach < 1));
        }
    }
    CHECK(left_out > 1000);
    CHECK(closest > 0.7);  // a radius much smaller would be wrong
}

TEST_CASE("Screening says so where too many fragments are left, and is not for partial trees") {
    base::Random random(2);
    const kernel::TreeKernel kernel =
        kernel::require_single_tree_kernel(kernel::parse_kernel("sst"), "the test");
    const Enumerated data(random, kernel, {});
    sparse::FeatureRows rows = data.rows(kernel);
    const std::vector<double> nothing(rows.size());
    const std::vector<double> ones(rows.size(), 1.0);
    const auto all = rows.trees().screen(nothing, ones, 1e9, kMost, {});
    REQUIRE(all);
    const std::size_t count = all->fragments.size();
    CHECK(rows.trees().screen(nothing, ones, 1e9, count, {}));
    CHECK_FALSE(rows.trees().screen(nothing, ones, 1e9, count - 1, {}));
    CHECK(rows.trees().screen(nothing, ones, 0, kMost, {})->fragments.size() == 0);
    CHECK(rows.trees().screens());
    CHECK_FALSE(data.rows(kernel::require_single_tree_kernel(kernel::parse_kernel("ptk"), "the test"))
                    .trees()
                    .screens());
}
