#include "linear/sparse_solver.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "linear/symmetric_matrix.hpp"
#include "support/catch.hpp"

using namespace treeline;
using namespace treeline::linear;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// Random columns, of which the first few decide the labels, up to noise.
struct RandomProblem {
    std::vector<SparseColumn> columns;
    std::vector<const SparseColumn*> pointers;
    std::vector<double> labels;
    std::vector<double> costs;
    SparseProblem problem;

    RandomProblem(std::uint64_t seed, std::uint32_t rows, std::size_t features, double noise = 0.5) {
        base::Random random(seed);
        std::vector<double> values(rows);
        columns.resize(features);
        for (std::size_t j = 0; j < features; ++j) {
            const double planted = j < 5 ? 2 * random.normal() : 0;
            for (std::uint32_t row = 0; row < rows; ++row) {
                if (random.below(3) == 0) {
                    columns[j].rows.push_back(row);
                    columns[j].values.push_back(random.normal());
                    values[row] += planted * columns[j].values.back();
                }
            }
            pointers.push_back(&columns[j]);
        }
        for (std::uint32_t row = 0; row < rows; ++row) {
            labels.push_back(values[row] + noise * random.normal() > 0 ? 1 : -1);
            costs.push_back(0.5 + random.uniform());
        }
        labels[0] = 1;
        labels[1] = -1;
        problem.labels = labels;
        problem.costs = costs;
    }
    RandomProblem(const RandomProblem&) = delete;

    [[nodiscard]] std::vector<double> margins(std::span<const double> weights, double bias) const {
        std::vector<double> out(labels.size(), bias);
        for (std::size_t j = 0; j < columns.size(); ++j) {
            for (std::size_t k = 0; k < columns[j].rows.size(); ++k) {
                out[columns[j].rows[k]] += weights[j] * columns[j].values[k];
            }
        }
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] *= labels[i];
        }
        return out;
    }

    [[nodiscard]] SparseSolution solve(double gap = 1e-10, SparseSolution start = {}) const {
        solve_sparse(problem, pointers, {.gap = gap, .max_rounds = 500}, start);
        return start;
    }
};

/// The optimum by accelerated proximal gradients with restarts: slow, and shares nothing with the solver but the
/// formula of the objective, which is written out again.
double slow_optimum(const RandomProblem& data) {
    const SparseProblem& p = data.problem;
    const std::size_t size = data.columns.size();
    const auto objective = [&](const std::vector<double>& w) {
        double sum = 0;
        for (std::size_t j = 0; j < size; ++j) {
            sum += std::abs(w[j]) + p.l2 / 2 * w[j] * w[j];
        }
        const auto m = data.margins(std::span(w).first(size), w[size]);
        for (std::size_t i = 0; i < m.size(); ++i) {
            sum += p.c * p.costs[i] *
                   (p.loss == SparseLoss::kLogistic ? std::log1p(std::exp(-m[i]))
                                                    : std::pow(std::max(0.0, 1 - m[i]), 2));
        }
        return sum;
    };
    double bound = p.l2;  // on the curvature: the squared values of all entries
    for (std::size_t i = 0; i < data.labels.size(); ++i) {
        bound += 2 * p.c * p.costs[i];
    }
    for (const SparseColumn& column : data.columns) {
        for (std::size_t k = 0; k < column.rows.size(); ++k) {
            bound += 2 * p.c * p.costs[column.rows[k]] * column.values[k] * column.values[k];
        }
    }
    std::vector<double> here(size + 1);
    std::vector<double> ahead = here;
    double momentum = 1;
    double best = objective(here);
    for (int step = 0; step < 40000; ++step) {
        const auto m = data.margins(std::span(ahead).first(size), ahead[size]);
        std::vector<double> pull(m.size());
        for (std::size_t i = 0; i < m.size(); ++i) {
            const double slope =
                p.loss == SparseLoss::kLogistic ? -1 / (1 + std::exp(m[i])) : -2 * std::max(0.0, 1 - m[i]);
            pull[i] = p.c * p.costs[i] * slope * p.labels[i];
        }
        std::vector<double> next = ahead;
        for (std::size_t j = 0; j < size; ++j) {
            double gradient = p.l2 * ahead[j];
            for (std::size_t k = 0; k < data.columns[j].rows.size(); ++k) {
                gradient += data.columns[j].values[k] * pull[data.columns[j].rows[k]];
            }
            const double free = ahead[j] - gradient / bound;
            next[j] = std::copysign(std::max(0.0, std::abs(free) - 1 / bound), free);
        }
        for (const double one : pull) {
            next[size] -= one / bound;
        }
        const double value = objective(next);
        const double following = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
        const double factor = value > best ? 0 : (momentum - 1) / following;
        momentum = value > best ? 1 : following;
        best = std::min(best, value);
        for (std::size_t j = 0; j <= size; ++j) {
            ahead[j] = next[j] + factor * (next[j] - here[j]);
        }
        here = std::move(next);
    }
    return best;
}

void check_optimal(const RandomProblem& data, const SparseSolution& solution) {
    CHECK(solution.converged);
    const SparseProblem& p = data.problem;
    double balance = 0;
    for (std::size_t i = 0; i < p.rows(); ++i) {
        balance += p.labels[i] * solution.theta[i];
    }
    CHECK_THAT(balance, WithinAbs(0, 1e-6 * std::max(1.0, p.c)));
    for (std::size_t j = 0; j < data.columns.size(); ++j) {
        const double score = solution.scores[j];
        const double weight = solution.weights[j];
        if (weight != 0) {
            CHECK_THAT(score, WithinAbs(std::copysign(1 + p.l2 * std::abs(weight), weight), 1e-4));
        } else {
            CHECK(std::abs(score) <= 1 + 1e-4);
        }
    }
}

}  // namespace

TEST_CASE("the optimum is that of slow proximal gradients") {
    for (std::uint64_t seed = 1; seed <= 24; ++seed) {
        RandomProblem data(seed, 40, 12);
        data.problem.c = std::array{0.05, 0.3, 1.0, 5.0}[seed % 4];
        data.problem.l2 = seed % 3 == 0 ? 0.5 : 0;
        data.problem.loss = seed % 2 == 0 ? SparseLoss::kLogistic : SparseLoss::kSquaredHinge;
        const SparseSolution solution = data.solve();
        CAPTURE(seed, solution.primal, solution.dual, solution.rounds);
        check_optimal(data, solution);
        const double slow = slow_optimum(data);
        CHECK(solution.primal <= slow * (1 + 1e-9));
        CHECK(solution.dual >= slow * (1 - 1e-8));
    }
}

TEST_CASE("margins, theta, scores and values are those of the weights that are returned") {
    RandomProblem data(3, 300, 40);
    data.problem.l2 = 0.1;
    const SparseSolution solution = data.solve(1e-3);
    const std::vector<double> margins = data.margins(solution.weights, solution.bias);
    for (std::size_t i = 0; i < margins.size(); ++i) {
        CHECK_THAT(solution.margins[i], WithinAbs(margins[i], 1e-10));
    }
    CHECK(solution.theta == dual_variables(data.problem, solution.margins));
    CHECK(solution.primal == sparse_primal(data.problem, solution.weights, solution.margins));
    for (std::size_t j = 0; j < data.columns.size(); ++j) {
        CHECK(solution.scores[j] == dual_score(data.problem, data.columns[j], solution.theta));
    }
}

TEST_CASE("no dual point is above a primal one") {
    base::Random random(5);
    for (int trial = 0; trial < 300; ++trial) {
        RandomProblem data(static_cast<std::uint64_t>(trial), 30, 10);
        data.problem.l2 = trial % 2 == 0 ? 0.3 : 0;
        data.problem.loss = trial % 4 < 2 ? SparseLoss::kLogistic : SparseLoss::kSquaredHinge;
        std::vector<double> theta(30);
        for (std::size_t i = 0; i < theta.size(); ++i) {
            theta[i] = random.uniform() * data.problem.c * data.costs[i];
        }
        balance(data.problem, theta);
        double largest = 0;
        double excess = 0;
        for (const SparseColumn& column : data.columns) {
            const double size = std::abs(dual_score(data.problem, column, theta));
            largest = std::max(largest, size);
            excess += std::pow(std::max(0.0, size - 1), 2);
        }
        const SparseSolution best = data.solve();
        CHECK(dual_bound(data.problem, theta, largest, excess) <= best.primal * (1 + 1e-12));
    }
}

TEST_CASE("balanced dual variables add up to 0 on both sides and are not raised") {
    RandomProblem data(8, 50, 3);
    const std::vector<double> before = dual_variables(data.problem, std::vector<double>(50, 0.25));
    std::vector<double> theta = before;
    balance(data.problem, theta);
    double sum = 0;
    for (std::size_t i = 0; i < theta.size(); ++i) {
        sum += data.labels[i] * theta[i];
        CHECK(theta[i] <= before[i]);
        CHECK(theta[i] > 0);
    }
    CHECK_THAT(sum, WithinAbs(0, 1e-12));
}

TEST_CASE("a start at the optimum of a neighbour ends at the same optimum sooner") {
    RandomProblem data(11, 2000, 200, 2);
    data.problem.c = 0.4;
    const SparseSolution before = data.solve(1e-9);
    data.problem.c = 0.5;
    const SparseSolution cold = data.solve(1e-9);
    const SparseSolution warm = data.solve(1e-9, before);
    CHECK_THAT(warm.primal, WithinRel(cold.primal, 1e-8));
    CHECK(warm.rounds <= cold.rounds);
    const SparseSolution again = data.solve(1e-9, cold);
    CHECK(again.rounds == 0);
    CHECK(again.weights == cold.weights);
}

TEST_CASE("the same bytes for any number of threads") {
    for (const SparseLoss loss : {SparseLoss::kSquaredHinge, SparseLoss::kLogistic}) {
        RandomProblem data(12, 40000, 60, 3);
        data.problem.loss = loss;
        SparseSolution one;
        SparseSolution four;
        base::run_with_threads(1, [&] { one = data.solve(1e-8); });
        base::run_with_threads(4, [&] { four = data.solve(1e-8); });
        CHECK(one.converged);
        CHECK(one.weights == four.weights);
        CHECK(one.bias == four.bias);
        CHECK(one.theta == four.theta);
        CHECK(one.dual == four.dual);
    }
}

TEST_CASE("with a tiny C no feature has a weight and the bias is the best constant") {
    RandomProblem data(13, 60, 10);
    data.problem.c = 1e-9;
    const SparseSolution solution = data.solve();
    CHECK(solution.converged);
    CHECK(std::ranges::all_of(solution.weights, [](double w) { return w == 0; }));
    double positive = 0;
    double negative = 0;
    for (std::size_t i = 0; i < data.labels.size(); ++i) {
        (data.labels[i] > 0 ? positive : negative) += data.costs[i];
    }
    // sum c_i (1 - y_i b)^2 within |b| <= 1.
    CHECK_THAT(solution.bias, WithinAbs((positive - negative) / (positive + negative), 1e-12));
}

TEST_CASE("separable data with a huge C are separated with margin 1 by the smallest weights") {
    // One feature of value 2 and -2: w = 1/2 and b = 0.
    SparseColumn column{{0, 1, 2}, {2, -2, -2}};
    SparseColumn empty;
    const std::vector<const SparseColumn*> columns{&empty, &column};
    const std::vector<double> labels{1, -1, -1};
    const std::vector<double> costs{1, 1, 1};
    for (const double c : {1e3, 1e6, 1e9}) {
        SparseSolution solution;
        solve_sparse({labels, costs, c, 0, SparseLoss::kSquaredHinge}, columns, {.gap = 1e-6}, solution);
        CAPTURE(c);
        CHECK(solution.converged);
        CHECK(solution.weights[0] == 0);
        CHECK_THAT(solution.weights[1], WithinAbs(0.5, 1 / c));
    }
}

TEST_CASE("random data at C of 1e9: a bound that holds, whatever is reached") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        for (const double noise : {0.0, 2.0}) {
            RandomProblem data(seed, 60, 20, noise);
            data.problem.c = 1e9;
            const SparseSolution solution = data.solve(1e-6);
            CAPTURE(seed, noise, solution.primal, solution.dual, solution.rounds);
            CHECK(solution.dual <= solution.primal * (1 + 1e-12));
        }
    }
}

TEST_CASE("contradictory duplicates and equal columns have a finite optimum at every C") {
    SparseColumn first{{0, 1, 2, 3}, {1, 1, 1, 1}};
    SparseColumn same = first;
    SparseColumn other{{0, 1, 4}, {0.5, 0.5, 2}};
    const std::vector<const SparseColumn*> columns{&first, &same, &other};
    const std::vector<double> labels{1, -1, 1, -1, 1, -1};
    const std::vector<double> costs{1, 1, 2, 2, 1, 1};
    for (const double c : {1e-9, 1e-2, 1.0, 1e4, 1e9}) {
        for (const SparseLoss loss : {SparseLoss::kSquaredHinge, SparseLoss::kLogistic}) {
            SparseSolution solution;
            solve_sparse({labels, costs, c, 0, loss}, columns, {.gap = 1e-8}, solution);
            CAPTURE(c, solution.primal, solution.dual);
            CHECK(solution.converged);
            CHECK(std::isfinite(solution.primal));
        }
    }
}

TEST_CASE("without columns the bias alone is learned") {
    const std::vector<double> labels{1, 1, -1};
    const std::vector<double> costs{1, 1, 1};
    SparseSolution solution;
    solve_sparse({labels, costs, 1, 0, SparseLoss::kLogistic}, {}, {.gap = 1e-10}, solution);
    CHECK(solution.converged);
    CHECK_THAT(solution.bias, WithinAbs(std::log(2.0), 1e-9));
}

TEST_CASE("a symmetric matrix times its solution is the right side, for sizes around that of a panel") {
    base::Random random(2);
    for (const std::size_t size : {1U, 2U, 47U, 48U, 49U, 131U}) {
        std::vector<double> dense(size * size);
        SymmetricMatrix matrix(size);
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                const double value = random.normal() + (i == j ? 3 * static_cast<double>(size) : 0);
                dense[i * size + j] = dense[j * size + i] = matrix.row(i)[j] = value;
            }
        }
        std::vector<double> right(size);
        for (double& value : right) {
            value = random.normal();
        }
        std::vector<double> solution = right;
        REQUIRE(matrix.factorize());
        matrix.solve(solution);
        for (std::size_t i = 0; i < size; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < size; ++j) {
                sum += dense[i * size + j] * solution[j];
            }
            CHECK_THAT(sum, WithinAbs(right[i], 1e-12));
        }
    }
    SymmetricMatrix indefinite(2);
    indefinite.row(0)[0] = 1;
    indefinite.row(1)[0] = 2;
    indefinite.row(1)[1] = 1;
    CHECK_FALSE(indefinite.factorize());
}

TEST_CASE("problems without an answer are refused") {
    const std::vector<double> one_class{1, 1};
    const std::vector<double> labels{1, -1};
    const std::vector<double> costs{1, 1};
    const std::vector<double> free_errors{1, 0};
    SparseSolution solution;
    const auto solve = [&](const SparseProblem& problem) { solve_sparse(problem, {}, {}, solution); };
    CHECK_THROWS_WITH(solve({one_class, costs}), ContainsSubstring("same label"));
    CHECK_THROWS_WITH(solve({labels, free_errors}), ContainsSubstring("cost 0 of example 1"));
    CHECK_THROWS_AS(solve({labels, costs, 0}), base::UsageError);
    CHECK_THROWS_AS(solve({labels, costs, 1, -1}), base::UsageError);
}
