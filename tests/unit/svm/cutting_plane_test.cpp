#include "svm/cutting_plane.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/example_kernel.hpp"
#include "support/catch.hpp"
#include "support/random_examples.hpp"

using namespace treeline;
using svm::CutSampling;
using svm::CuttingPlaneOptions;
using svm::CuttingPlaneResult;

namespace {

/// A noisy two-class problem with its Gram matrix.
struct Problem {
    test::RandomExamples data;
    kernel::KernelDescription kernel;
    std::vector<std::uint32_t> subset;
    std::vector<double> labels;
    std::vector<double> costs;
    std::vector<std::vector<double>> gram;

    Problem(const std::string& text, std::size_t count, std::uint64_t seed = 41)
        : data(seed, count), kernel(kernel::parse_kernel(text)), subset(data.all()), gram(count) {
        kernel::ExampleKernel pairs(kernel, data.forest);
        base::Random random(seed);
        for (std::size_t i = 0; i < count; ++i) {
            const auto root = data.set.trees(i)[0];
            const bool noun =
                root != example::kEmptyTree && data.forest.symbols().text(data.forest.label(root)) == "NP";
            labels.push_back(noun != (random.below(8) == 0) ? 1 : -1);
            gram[i].resize(count);
            for (std::size_t j = 0; j <= i; ++j) {
                gram[i][j] = gram[j][i] = pairs.value(data.set, i, data.set, j);
            }
        }
    }

    [[nodiscard]] CuttingPlaneResult train(const CuttingPlaneOptions& options,
                                           const std::function<bool()>& stop = {}) const {
        return svm::train_cutting_plane({kernel, data.forest, data.set, subset}, {labels, costs}, options,
                                        stop);
    }

    [[nodiscard]] double cost(std::size_t i) const { return costs.empty() ? 1 : costs[i]; }

    /// max sum a - a'Qa/2, 0 <= a_i <= c * cost_i, by coordinate ascent; Q_ij = y_i y_j (K_ij + constant^2).
    [[nodiscard]] double optimum(double c, double constant = 0) const {
        const std::size_t n = labels.size();
        std::vector<double> a(n);
        std::vector<double> f(n);
        const auto k = [&](std::size_t i, std::size_t j) { return gram[i][j] + constant * constant; };
        double moved = 1;
        for (int pass = 0; pass < 20000 && moved > 1e-12; ++pass) {
            moved = 0;
            for (std::size_t i = 0; i < n; ++i) {
                if (k(i, i) == 0) {
                    a[i] = c * cost(i);
                    continue;
                }
                const double next = std::clamp(a[i] + (1 - labels[i] * f[i]) / k(i, i), 0.0, c * cost(i));
                const double step = next - a[i];
                if (step != 0) {
                    moved = std::max(moved, std::abs(step));
                    a[i] = next;
                    for (std::size_t j = 0; j < n; ++j) {
                        f[j] += step * labels[i] * k(i, j);
                    }
                }
            }
        }
        double value = 0;
        for (std::size_t i = 0; i < n; ++i) {
            value += a[i] - a[i] * labels[i] * f[i] / 2;
        }
        return value;
    }

    /// |w|^2/2 + c sum_i cost_i max(0, 1 - y_i f(x_i)) of a machine.
    [[nodiscard]] double primal(const CuttingPlaneResult& result, double c, double constant = 0) const {
        const std::size_t n = labels.size();
        const auto& coefficients = result.machine.coefficients;
        double value = 0;
        for (std::size_t i = 0; i < n; ++i) {
            double f = -result.machine.threshold;
            double product = 0;
            for (std::size_t j = 0; j < n; ++j) {
                f += coefficients[j] * gram[i][j];
                product += coefficients[j] * (gram[i][j] + constant * constant);
            }
            value += coefficients[i] * product / 2 + c * cost(i) * std::max(0.0, 1 - labels[i] * f);
        }
        return value;
    }

    [[nodiscard]] double total_cost() const {
        double sum = 0;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            sum += cost(i);
        }
        return sum;
    }
};

}  // namespace

TEST_CASE("with all data in every cut the optimum of the SVM without bias is reached to epsilon") {
    const std::string text = GENERATE(as<std::string>(), "st", "sst", "sst-bow", "ptk", "uptk", "linear",
                                      "0.5*sst+linear", "sst*poly(d=2)");
    const auto sampling = GENERATE(CutSampling::kUniform, CutSampling::kImportance);
    CAPTURE(text, sampling == CutSampling::kUniform);
    Problem problem(text, 120);
    CuttingPlaneOptions options;
    options.sampling = sampling;
    options.sample = 0;
    options.small = GENERATE(0U, 1000U);
    options.constant = text == "sst" ? 0.5 : 0;
    if (text == "sst-bow" || text == "linear") {
        for (const double label : problem.labels) {
            problem.costs.push_back(label > 0 ? 3 : 1);
        }
    }
    const auto result = problem.train(options);
    REQUIRE(result.report.converged);
    const double optimum = problem.optimum(1, options.constant);
    const double tolerance = options.epsilon * problem.total_cost();
    CHECK(result.report.qp_gap <= 0.1 * tolerance);
    CHECK(result.report.objective <= optimum + 1e-6 * optimum);
    CHECK(problem.primal(result, 1, options.constant) <= optimum + 1.2 * tolerance);
    CHECK(problem.primal(result, 1, options.constant) >= optimum - 1e-6 * optimum);
    CHECK(result.report.primal == Approx(problem.primal(result, 1, options.constant)).epsilon(1e-5));
    CHECK((result.machine.threshold != 0) == (options.constant != 0));
}

TEST_CASE("samples as large as the data are the data, whatever the sampling") {
    const Problem problem("sst", 100);
    CuttingPlaneOptions options;
    options.sampling = CutSampling::kImportance;
    options.sample = 0;
    const auto all = problem.train(options);
    options.sampling = CutSampling::kUniform;
    options.sample = GENERATE(0U, 100U, 1000U);
    CHECK(problem.train(options).machine.coefficients == all.machine.coefficients);
}

TEST_CASE("removing idle cuts does not change the optimum beyond epsilon") {
    const Problem problem("sst", 150, 5);
    CuttingPlaneOptions options;
    options.sampling = GENERATE(CutSampling::kUniform, CutSampling::kImportance);
    options.sample = 0;
    options.idle_limit = 0;
    const auto kept = problem.train(options);
    options.idle_limit = 2;
    const auto removed = problem.train(options);
    CHECK(kept.report.removed_cuts == 0);
    CHECK(removed.report.removed_cuts > 0);
    CHECK(removed.report.cuts < kept.report.cuts);
    const double tolerance = 1.2 * options.epsilon * problem.total_cost();
    CHECK(std::abs(problem.primal(kept, 1) - problem.primal(removed, 1)) <= tolerance);
}

TEST_CASE("uniform samples give the same cuts whether w is known on all examples or on the sample only") {
    Problem problem("0.5*sst+linear", 150);
    CuttingPlaneOptions options;
    options.sample = 40;
    options.max_iterations = 6;
    options.constant = 0.5;
    if (GENERATE(false, true)) {
        for (const double label : problem.labels) {
            problem.costs.push_back(label > 0 ? 3 : 1);
        }
    }
    const auto by_rows = problem.train(options);
    options.small = 0;
    const auto by_sample = problem.train(options);
    const auto expected = Catch::Matchers::Approx(by_sample.machine.coefficients).margin(1e-3);
    CHECK_THAT(by_rows.machine.coefficients, expected);
    CHECK(by_rows.report.primal == Approx(by_sample.report.primal).epsilon(1e-3));
}

TEST_CASE("importance sampling does not depend on what is remembered") {
    const Problem problem("sst", 100);
    CuttingPlaneOptions options;
    options.sampling = CutSampling::kImportance;
    options.sample = 25;
    options.memory = 100 * sizeof(float) * 3;
    const auto result = problem.train(options);
    CHECK(result.report.converged);
    options.memory = 1 << 20;
    const auto remembered = problem.train(options);
    CHECK(problem.primal(result, 1) == Approx(problem.primal(remembered, 1)).epsilon(0.05));
}

TEST_CASE("cutting planes give the same bytes for any number of threads, and others for another seed") {
    const Problem problem(GENERATE(as<std::string>(), "sst", "ptk"), 400, 3);
    CuttingPlaneOptions options;
    options.small = GENERATE(0U, 1000U);
    options.sampling = GENERATE(CutSampling::kUniform, CutSampling::kImportance);
    options.sample = 120;
    std::vector<CuttingPlaneResult> results;
    for (const std::size_t threads : {1, 2, 4}) {
        base::run_with_threads(threads, [&] { results.push_back(problem.train(options)); });
    }
    options.seed = 2;
    results.push_back(problem.train(options));
    CHECK(results[0].machine.coefficients == results[1].machine.coefficients);
    CHECK(results[0].machine.coefficients == results[2].machine.coefficients);
    CHECK(results[0].machine.coefficients != results[3].machine.coefficients);
}

TEST_CASE("a larger cost of the positive class makes more decisions positive") {
    Problem problem("sst", 300, 9);
    for (std::size_t i = 0; i < problem.labels.size(); ++i) {
        problem.labels[i] = problem.labels[i] > 0 && i % 3 == 0 ? 1 : -1;
    }
    CuttingPlaneOptions options;
    options.sampling = GENERATE(CutSampling::kUniform, CutSampling::kImportance);
    options.sample = 100;
    const auto positives = [&](const CuttingPlaneResult& result) {
        int count = 0;
        for (std::size_t i = 0; i < problem.labels.size(); ++i) {
            double f = 0;
            for (std::size_t j = 0; j < problem.labels.size(); ++j) {
                f += result.machine.coefficients[j] * problem.gram[i][j];
            }
            count += f > 0 ? 1 : 0;
        }
        return count;
    };
    const int even = positives(problem.train(options));
    for (const double label : problem.labels) {
        problem.costs.push_back(label > 0 ? 10 : 1);
    }
    CHECK(positives(problem.train(options)) > even);
}

TEST_CASE("a stop is honoured after the iteration at hand") {
    const Problem problem("sst", 80);
    CuttingPlaneOptions options;
    options.sample = 40;
    int asked = 0;
    const auto result = problem.train(options, [&] { return ++asked > 3; });
    CHECK(result.report.iterations == 3);
    CHECK_FALSE(result.report.converged);
    CHECK(result.report.support_vectors > 0);
    options.max_iterations = 2;
    CHECK(problem.train(options).report.iterations == 2);
}

TEST_CASE("cutting planes refuse what cannot be learned") {
    Problem problem("sst", 20);
    CuttingPlaneOptions options;
    options.c = 0;
    CHECK_THROWS_AS(problem.train(options), base::UsageError);
    options.c = 1;
    problem.costs.assign(20, 1);
    problem.costs[3] = -1;
    CHECK_THROWS_AS(problem.train(options), base::UsageError);
    problem.costs.clear();
    problem.labels.assign(20, 1);
    CHECK_THROWS_AS(problem.train(options), base::UsageError);
}
