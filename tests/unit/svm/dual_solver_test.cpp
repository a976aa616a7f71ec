#include "svm/dual_solver.hpp"

#include "base/random.hpp"
#include "support/catch.hpp"
#include "support/dual_oracle.hpp"

using namespace treeline;
using namespace treeline::svm;

namespace {

class DenseRows final : public DualRows<double> {
  public:
    explicit DenseRows(const std::vector<std::vector<double>>& kernel) : kernel_(kernel) {}
    const double* row(std::uint32_t example) override { return kernel_[example].data(); }
    [[nodiscard]] std::uint32_t position(std::uint32_t example) const override { return example; }
    void sums(std::span<const DualVariable> variables, std::span<const std::uint32_t> examples,
              std::span<double> out) override {
        for (std::size_t k = 0; k < examples.size(); ++k) {
            out[k] = 0;
            for (const auto& v : variables) {
                out[k] += v.value * kernel_[v.example][examples[k]];
            }
        }
    }

  private:
    const std::vector<std::vector<double>>& kernel_;
};

test::DualOracle random_problem(std::uint64_t seed, std::size_t size, bool bias) {
    base::Random random(seed);
    test::DualOracle problem;
    problem.bias = bias;
    std::vector<std::vector<double>> points(size, std::vector<double>(5));
    for (auto& point : points) {
        for (double& x : point) {
            x = random.normal();
        }
    }
    points[size - 1] = points[0];
    problem.kernel.assign(size, std::vector<double>(size));
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
            for (std::size_t d = 0; d < 5; ++d) {
                problem.kernel[i][j] += points[i][d] * points[j][d];
            }
        }
        const double cap = 0.1 + random.uniform();
        const bool positive = i % 3 == 0;
        problem.y.push_back(positive ? 1 : -1);
        problem.low.push_back(positive ? 0 : -cap);
        problem.high.push_back(positive ? cap : 0);
    }
    return problem;
}

struct Solved {
    std::vector<double> values;
    DualSolverReport report;
};

Solved solve(const test::DualOracle& problem, DualSolverOptions options) {
    std::vector<DualVariable> variables;
    std::vector<double> diagonal;
    for (std::size_t i = 0; i < problem.y.size(); ++i) {
        variables.push_back(
            {static_cast<std::uint32_t>(i), problem.y[i], problem.low[i], problem.high[i], 0, problem.y[i]});
        diagonal.push_back(problem.kernel[i][i]);
    }
    DenseRows rows(problem.kernel);
    options.bias = problem.bias;
    Solved solved;
    solved.report = solve_dual<double>(variables, diagonal, rows, options);
    for (std::size_t i = 0; i < variables.size(); ++i) {
        solved.values.push_back(variables[i].value);
        double gradient = problem.y[i];
        for (std::size_t j = 0; j < variables.size(); ++j) {
            gradient -= problem.kernel[i][j] * variables[j].value;
        }
        CHECK(variables[i].gradient == Approx(gradient).margin(1e-9));
    }
    return solved;
}

}  // namespace

TEST_CASE("the dual solver reaches the optimum that projected gradients find") {
    const bool bias = GENERATE(true, false);
    const bool shrink = GENERATE(true, false);
    const auto seed = GENERATE(range(1, 9));
    CAPTURE(bias, shrink, seed);
    const auto problem = random_problem(static_cast<std::uint64_t>(seed), 24, bias);
    const auto solved = solve(problem, {.epsilon = 1e-7, .shrink = shrink});
    CHECK(solved.report.gap <= 1e-7);
    CHECK(problem.objective(solved.values) == Approx(problem.solve()).epsilon(1e-6));
    double sum = 0;
    for (std::size_t i = 0; i < solved.values.size(); ++i) {
        CHECK(solved.values[i] >= problem.low[i]);
        CHECK(solved.values[i] <= problem.high[i]);
        sum += solved.values[i];
    }
    if (bias) {
        CHECK(sum == Approx(0).margin(1e-10));
    }
}

TEST_CASE("shrinking does not change the solution of a larger problem") {
    const bool bias = GENERATE(true, false);
    const auto problem = random_problem(77, 400, bias);
    const auto with = solve(problem, {.epsilon = 1e-6, .shrink = true});
    const auto without = solve(problem, {.epsilon = 1e-6, .shrink = false});
    CHECK(with.report.gap <= 1e-6);
    CHECK(problem.objective(with.values) == Approx(problem.objective(without.values)).epsilon(1e-8));
}

TEST_CASE("the optimality conditions hold to epsilon") {
    const auto problem = random_problem(5, 60, true);
    const double epsilon = GENERATE(1e-1, 1e-3, 1e-5);
    const auto solved = solve(problem, {.epsilon = epsilon});
    double highest = -1e9;
    double lowest = 1e9;
    for (std::size_t i = 0; i < problem.y.size(); ++i) {
        double gradient = problem.y[i];
        for (std::size_t j = 0; j < problem.y.size(); ++j) {
            gradient -= problem.kernel[i][j] * solved.values[j];
        }
        highest = solved.values[i] < problem.high[i] ? std::max(highest, gradient) : highest;
        lowest = solved.values[i] > problem.low[i] ? std::min(lowest, gradient) : lowest;
    }
    CHECK(highest - lowest <= epsilon + 1e-9);
    CHECK(solved.report.highest == Approx(highest).margin(1e-9));
    CHECK(solved.report.lowest == Approx(lowest).margin(1e-9));
}
