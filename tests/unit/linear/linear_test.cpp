#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "example/decision.hpp"
#include "linear/block_dual.hpp"
#include "linear/liblinear_adapter.hpp"
#include "linear/linear_problem.hpp"
#include "linear/newton.hpp"
#include "support/catch.hpp"

using namespace treeline;
using namespace treeline::linear;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;

namespace {

/// Random sparse rows whose class is that of the largest of a few planted weight vectors, with some noise.
struct RandomData {
    std::vector<std::vector<std::uint32_t>> indices;
    std::vector<std::vector<float>> values;
    LinearProblem problem;

    RandomData(std::uint64_t seed, std::size_t rows, std::vector<std::string> labels,
               std::uint32_t features = 30)
        : indices(rows), values(rows) {
        base::Random random(seed);
        problem.labels = std::move(labels);
        problem.features = features;
        std::vector<std::vector<double>> planted(problem.labels.size());
        for (auto& weights : planted) {
            for (std::uint32_t i = 0; i < features; ++i) {
                weights.push_back(random.normal());
            }
        }
        for (std::size_t row = 0; row < rows; ++row) {
            std::vector<double> scores(planted.size());
            for (std::uint32_t i = 0; i < features; ++i) {
                if (random.below(3) == 0) {
                    indices[row].push_back(i);
                    values[row].push_back(static_cast<float>(random.normal()));
                    for (std::size_t k = 0; k < planted.size(); ++k) {
                        scores[k] += planted[k][i] * static_cast<double>(values[row].back());
                    }
                }
            }
            for (double& score : scores) {
                score += 0.5 * random.normal();
            }
            problem.rows.push_back({indices[row], values[row]});
            problem.classes.push_back(
                static_cast<std::uint32_t>(std::ranges::max_element(scores) - scores.begin()));
        }
        // The first row has the first label, so that labels are in order of appearance.
        const auto first = std::ranges::find(problem.classes, 0U);
        std::iter_swap(problem.rows.begin(), problem.rows.begin() + (first - problem.classes.begin()));
        std::iter_swap(problem.classes.begin(), first);
    }
};

double accuracy(const LinearModel& model, const LinearProblem& problem) {
    std::size_t hits = 0;
    std::vector<double> decisions(model.columns());
    for (std::size_t i = 0; i < problem.rows.size(); ++i) {
        model.decision_values(problem.rows[i], decisions);
        hits += model.labels[example::decide(decisions)] == problem.labels[problem.classes[i]];
    }
    return static_cast<double>(hits) / static_cast<double>(problem.rows.size());
}

void check_same(const LinearModel& model, const LinearModel& expected, double tolerance) {
    CHECK(model.labels == expected.labels);
    REQUIRE(model.weights.size() == expected.weights.size());
    for (std::size_t i = 0; i < model.weights.size(); ++i) {
        REQUIRE_THAT(model.weights[i], WithinAbs(expected.weights[i], tolerance));
    }
}

/// 1/2 w.w + C sum loss of the first column, the constant feature regularized as LIBLINEAR does.
double objective(const LinearModel& model, const LinearProblem& problem, double c, bool squared) {
    double value = 0;
    for (const double weight : model.weights) {
        value += 0.5 * weight * weight;
    }
    std::vector<double> decisions(1);
    for (std::size_t i = 0; i < problem.rows.size(); ++i) {
        model.decision_values(problem.rows[i], decisions);
        const double y = problem.labels[problem.classes[i]] == model.labels[0] ? 1 : -1;
        const double loss = std::max(0.0, 1 - y * decisions[0]);
        value += c * (squared ? loss * loss : loss);
    }
    return value;
}

/// A problem cut into blocks of a few rows.
class CutProblem final : public RowBlocks {
  public:
    CutProblem(const LinearProblem& whole, std::size_t size) : whole_(&whole), size_(size), block_() {
        block_.labels = whole.labels;
        block_.features = whole.features;
    }
    std::size_t block_count() const override { return (whole_->rows.size() + size_ - 1) / size_; }
    std::size_t block_rows(std::size_t number) const override {
        return std::min(size_, whole_->rows.size() - number * size_);
    }
    const LinearProblem& block(std::size_t number) override {
        const auto begin = static_cast<std::ptrdiff_t>(number * size_);
        const auto end = begin + static_cast<std::ptrdiff_t>(block_rows(number));
        block_.rows.assign(whole_->rows.begin() + begin, whole_->rows.begin() + end);
        block_.classes.assign(whole_->classes.begin() + begin, whole_->classes.begin() + end);
        return block_;
    }

  private:
    const LinearProblem* whole_;
    std::size_t size_;
    LinearProblem block_;
};

}  // namespace

TEST_CASE("Every solver learns what was planted, for two classes and for four") {
    const LinearSolverName name =
        GENERATE(from_range(linear_solver_names().begin(), linear_solver_names().end()));
    CAPTURE(name.option);
    LinearOptions options;
    options.solver = name.solver;
    const RandomData two(3, 400, {"no", "yes"});
    const LinearModel model = train_liblinear(two.problem, options);
    CHECK(accuracy(model, two.problem) > 0.9);
    CHECK(model.labels == std::vector<std::string>{"yes", "no"});
    CHECK(train_liblinear(two.problem, options) == model);
    const RandomData four(5, 800, {"a", "b", "c", "d"});
    CHECK(accuracy(train_liblinear(four.problem, options), four.problem) > 0.8);
}

TEST_CASE("The class +1 is the positive one, whichever comes first") {
    LinearOptions options;
    for (const auto& labels : {std::vector<std::string>{"+1", "-1"}, std::vector<std::string>{"-1", "+1"}}) {
        const RandomData data(7, 200, labels);
        const LinearModel model = train_liblinear(data.problem, options);
        CHECK(model.labels == std::vector<std::string>{"+1", "-1"});
        CHECK(accuracy(model, data.problem) > 0.9);
    }
}

TEST_CASE("Weights of classes move the decision") {
    const RandomData data(9, 500, {"+1", "-1"}, 6);
    LinearOptions options;
    options.c = 0.01;
    const auto positives = [&](const LinearModel& model) {
        std::size_t count = 0;
        std::vector<double> decisions(1);
        for (const SparseRow& row : data.problem.rows) {
            model.decision_values(row, decisions);
            count += decisions[0] > 0;
        }
        return count;
    };
    const std::size_t plain = positives(train_liblinear(data.problem, options));
    options.weights["+1"] = 20;
    CHECK(positives(train_liblinear(data.problem, options)) > plain);
}

TEST_CASE("Newton steps end at LIBLINEAR's optimum") {
    const auto solver = GENERATE(LinearSolver::kL2rL2lossSvc, LinearSolver::kL2rLr);
    const auto labels = GENERATE(values<std::vector<std::string>>({{"-1", "+1"}, {"a", "b", "c"}}));
    const double bias = GENERATE(-1.0, 0.0, 2.0);
    REQUIRE(has_newton(solver));
    const RandomData data(11, 300, labels);
    LinearOptions options;
    options.solver = solver;
    options.epsilon = 1e-7;
    options.bias = bias;
    options.c = 3;
    options.weights[labels[1]] = 5;
    const LinearModel expected = train_liblinear(data.problem, options);
    NewtonReport report;
    const LinearModel model = train_newton(data.problem, options, report);
    CHECK(report.converged);
    check_same(model, expected, 1e-4);
}

TEST_CASE("Newton steps give the same bytes for any number of threads") {
    const RandomData data(17, 30000, {"+1", "-1"});
    LinearOptions options;
    NewtonReport report;
    LinearModel one;
    LinearModel three;
    base::run_with_threads(1, [&] { one = train_newton(data.problem, options, report); });
    base::run_with_threads(3, [&] { three = train_newton(data.problem, options, report); });
    CHECK(one == three);
}

TEST_CASE("For Newton steps a row of weight 2 is two rows") {
    RandomData data(19, 200, {"a", "b"});
    LinearOptions options;
    options.epsilon = 1e-8;
    LinearProblem repeated = data.problem;
    for (std::size_t i = 0; i < data.problem.rows.size(); ++i) {
        data.problem.weights.push_back(i % 3 == 0 ? 2 : 1);
        if (i % 3 == 0) {
            repeated.rows.push_back(data.problem.rows[i]);
            repeated.classes.push_back(data.problem.classes[i]);
        }
    }
    NewtonReport report;
    check_same(train_newton(data.problem, options, report), train_newton(repeated, options, report), 1e-6);
}

TEST_CASE("Newton steps on rows that say nothing") {
    LinearProblem problem;
    problem.labels = {"a", "b"};
    problem.rows.resize(4);
    problem.classes = {0, 1, 0, 0};
    LinearOptions options;
    NewtonReport report;
    const LinearModel model = train_newton(problem, options, report);
    CHECK(report.converged);
    CHECK(model.weights.at(0) < 0);
    options.bias = -1;
    CHECK(train_newton(problem, options, report).weights.empty());
    CHECK(report.converged);
}

TEST_CASE("Starting from the solution stays there") {
    const RandomData data(11, 300, {"a", "b", "c"});
    LinearOptions options;
    options.epsilon = 1e-6;
    NewtonReport report;
    const LinearModel model = train_newton(data.problem, options, report);
    CHECK(report.steps > 0);
    options.start = &model;
    options.epsilon = 1e-5;
    CHECK(train_newton(data.problem, options, report) == model);
    CHECK(report.steps == 0);
}

TEST_CASE("Block by block reaches the optimum of the whole") {
    const bool squared = GENERATE(false, true);
    const std::size_t size = GENERATE(std::size_t{1}, std::size_t{37}, std::size_t{1000});
    const RandomData data(13, 400, {"+1", "-1"});
    LinearOptions options;
    options.solver = squared ? LinearSolver::kL2rL2lossSvcDual : LinearSolver::kL2rL1lossSvcDual;
    options.epsilon = 1e-4;
    options.weights["+1"] = 1;
    const LinearModel whole = train_liblinear(data.problem, options);
    CutProblem blocks(data.problem, size);
    BlockDualReport report;
    BlockDualOptions block_options;
    block_options.most_iterations = 5000;
    const LinearModel model = train_blocks(blocks, data.problem, options, block_options, report);
    CHECK(report.converged);
    CHECK(model.labels == whole.labels);
    const double best = objective(whole, data.problem, 1, squared);
    CHECK_THAT(objective(model, data.problem, 1, squared), WithinAbs(best, 1e-4 * best));
    BlockDualReport other;
    CHECK(train_blocks(blocks, data.problem, options, block_options, other) == model);
}

TEST_CASE("Block by block with several classes") {
    const RandomData data(15, 600, {"a", "b", "c"});
    LinearOptions options;
    CutProblem blocks(data.problem, 100);
    BlockDualReport report;
    CHECK(accuracy(train_blocks(blocks, data.problem, options, {}, report), data.problem) > 0.85);
    options.solver = LinearSolver::kL2rLr;
    CHECK_THROWS_AS(train_blocks(blocks, data.problem, options, {}, report), base::UsageError);
}

TEST_CASE("A single column gives the value it has beside others, and indices without a weight add nothing") {
    const double bias = GENERATE(-1.0, 0.0, 2.0);
    base::Random random(29);
    LinearModel one{.labels = {"a", "b"}, .features = 30, .bias = bias, .weights = {}};
    LinearModel three{.labels = {"a", "b", "c"}, .features = 30, .bias = bias, .weights = {}};
    for (int i = 0; i < (bias < 0 ? 30 : 31); ++i) {
        one.weights.push_back(random.normal());
        three.weights.insert(three.weights.end(), {random.normal(), one.weights.back(), random.normal()});
    }
    const RandomData data(31, 50, {"a", "b"}, 40);
    for (const SparseRow& row : data.problem.rows) {
        double expected = 0;
        for (std::size_t i = 0; i < row.indices.size(); ++i) {
            expected +=
                row.indices[i] < 30 ? one.weights[row.indices[i]] * static_cast<double>(row.values[i]) : 0;
        }
        expected += bias < 0 ? 0 : bias * one.weights.back();
        std::vector<double> single(1);
        std::vector<double> several(3);
        one.decision_values(row, single);
        three.decision_values(row, several);
        CHECK(single[0] == expected);
        CHECK(several[1] == expected);
    }
}

TEST_CASE("Probabilities of logistic models are those of the log-odds") {
    LinearModel model;
    model.solver = LinearSolver::kL2rLr;
    model.labels = {"a", "b"};
    const std::vector<double> one{std::log(3.0)};
    CHECK_THAT(model.probabilities(one)[0], WithinAbs(0.75, 1e-12));
    CHECK_THAT(model.probabilities(one)[1], WithinAbs(0.25, 1e-12));
    model.labels = {"a", "b", "c"};
    const std::vector<double> three{0, 0, 0};
    CHECK_THAT(model.probabilities(three)[2], WithinAbs(1.0 / 3, 1e-12));
}

TEST_CASE("Impossible problems and options are refused") {
    RandomData data(17, 20, {"a", "b"});
    LinearOptions options;
    options.c = 0;
    CHECK_THROWS_AS(train_liblinear(data.problem, options), base::UsageError);
    options.c = 1;
    options.weights["a"] = -1;
    CHECK_THROWS_AS(train_liblinear(data.problem, options), base::UsageError);
    options.weights.clear();
    data.problem.labels = {"a"};
    CHECK_THROWS_WITH(train_liblinear(data.problem, options), ContainsSubstring("have the label 'a'"));
}
