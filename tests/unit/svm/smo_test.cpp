#include "svm/smo.hpp"

#include <map>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "support/catch.hpp"
#include "support/dual_oracle.hpp"
#include "unit/svm/training_sample.hpp"

using namespace treeline;
using namespace treeline::svm;

namespace {

test::DualOracle oracle_of(const test::TrainingSample& sample, const kernel::KernelDescription& kernel,
                           double c, const std::vector<double>& costs, bool bias) {
    test::DualOracle oracle{
        .kernel = sample.matrix(kernel), .y = sample.labels, .low = {}, .high = {}, .bias = bias};
    for (std::size_t i = 0; i < sample.labels.size(); ++i) {
        const double cap = c * (costs.empty() ? 1 : costs[i]);
        oracle.low.push_back(sample.labels[i] > 0 ? 0 : -cap);
        oracle.high.push_back(sample.labels[i] > 0 ? cap : 0);
    }
    return oracle;
}

}  // namespace

TEST_CASE("smo reaches the optimum of the dual") {
    const std::string text =
        GENERATE("sst", "ptk(lambda=0.5)", "sst+poly(d=2)", "sst*linear", "linear(norm=none)");
    const bool bias = GENERATE(true, false);
    const bool staged = GENERATE(true, false);
    const bool weighted = GENERATE(true, false);
    CAPTURE(text, bias, staged, weighted);
    const test::TrainingSample sample(11, 70);
    const auto kernel = kernel::parse_kernel(text);
    std::vector<double> costs;
    for (std::size_t i = 0; weighted && i < 70; ++i) {
        costs.push_back(i % 4 == 0 ? 3 : 0.5);
    }
    SmoOptions options{.c = 0.7, .epsilon = 1e-6, .bias = bias};
    if (staged) {
        options.first_sample = 8;
        options.small = 0;
    }
    SmoTrainer trainer({kernel, sample.forest, sample.examples, sample.subset}, options);
    const auto result = trainer.train({sample.labels, costs});
    const auto oracle = oracle_of(sample, kernel, 0.7, costs, bias);
    const double best = oracle.solve();
    CHECK(result.report.converged);
    CHECK(result.report.objective == Approx(best).epsilon(1e-4));
    CHECK(result.report.objective <= result.report.primal);
    CHECK(result.report.primal == Approx(result.report.objective).epsilon(1e-4));

    // The machine itself: its primal value, straight from the definition.
    double primal = 0;
    const auto& b = result.machine.coefficients;
    for (std::size_t i = 0; i < b.size(); ++i) {
        double value = 0;
        for (std::size_t j = 0; j < b.size(); ++j) {
            value += oracle.kernel[i][j] * b[j];
        }
        primal += b[i] * value / 2;
        const double cap = oracle.high[i] - oracle.low[i];
        primal += cap * std::max(0.0, 1 - sample.labels[i] * (value - result.machine.threshold));
    }
    CHECK(primal == Approx(best).epsilon(1e-4));
    if (!bias) {
        CHECK(result.machine.threshold == 0);
    }
}

TEST_CASE("floats and loose tolerances stay within the tolerance of the optimum") {
    const test::TrainingSample sample(12, 150);
    const auto kernel = kernel::parse_kernel("sst");
    const TrainingData data{kernel, sample.forest, sample.examples, sample.subset};
    const auto exact = SmoTrainer(data, {.epsilon = 1e-7}).train({sample.labels, {}});
    const auto usual =
        SmoTrainer(data, {.epsilon = 1e-3, .first_sample = 16, .small = 0}).train({sample.labels, {}});
    CHECK(usual.report.gap <= 1e-3);
    CHECK(usual.report.objective == Approx(exact.report.objective).epsilon(1e-4));
    CHECK(usual.report.rounds > 2);
}

TEST_CASE("an example given twice counts like one of twice the cost") {
    const test::TrainingSample sample(13, 50, 1000);
    const auto kernel = kernel::parse_kernel("sst");
    std::vector<std::uint32_t> twice = sample.subset;
    std::vector<double> labels = sample.labels;
    std::vector<double> costs(50, 1);
    for (std::uint32_t i = 0; i < 50; i += 3) {
        twice.push_back(i);
        labels.push_back(sample.labels[i]);
        costs[i] = 2;
    }
    const SmoOptions options{.epsilon = 1e-7};
    const auto folded =
        SmoTrainer({kernel, sample.forest, sample.examples, twice}, options).train({labels, {}});
    const auto weighted = SmoTrainer({kernel, sample.forest, sample.examples, sample.subset}, options)
                              .train({sample.labels, costs});
    CHECK(folded.report.points == weighted.report.points);
    CHECK(folded.report.objective == Approx(weighted.report.objective).epsilon(1e-7));
    CHECK(folded.machine.threshold == Approx(weighted.machine.threshold).margin(1e-5));
    const std::vector<double> first(folded.machine.coefficients.begin(),
                                    folded.machine.coefficients.begin() + 50);
    for (std::size_t i = 0; i < 50; ++i) {
        CHECK(first[i] == Approx(weighted.machine.coefficients[i]).margin(1e-4));
    }
}

TEST_CASE("a solution taken up again is left as it is") {
    const test::TrainingSample sample(14, 200);
    const auto kernel = kernel::parse_kernel("sst");
    SmoTrainer trainer({kernel, sample.forest, sample.examples, sample.subset},
                       {.first_sample = 32, .small = 0});
    const auto cold = trainer.train({sample.labels, {}});
    const auto warm = trainer.train({sample.labels, {}}, cold.machine.coefficients);
    CHECK(warm.report.iterations < cold.report.iterations / 2);
    CHECK(warm.report.objective == Approx(cold.report.objective).epsilon(1e-4));

    // Coefficients that fit no bound of the task are a start like any other.
    std::vector<double> wild(200, 0.3);
    wild[5] = -70;
    CHECK(trainer.train({sample.labels, {}}, wild).report.objective ==
          Approx(cold.report.objective).epsilon(1e-4));
}

TEST_CASE("the same bytes on one thread and on several") {
    const test::TrainingSample sample(15, 300);
    const auto kernel = kernel::parse_kernel("sst-bow");
    std::map<std::size_t, SmoResult> results;
    for (const std::size_t threads : {1, 3}) {
        base::run_with_threads(threads, [&] {
            SmoTrainer trainer({kernel, sample.forest, sample.examples, sample.subset},
                               {.cache = 100000, .first_sample = 32, .small = 0});
            results[threads] = trainer.train({sample.labels, {}});
        });
    }
    CHECK(results[1].machine.coefficients == results[3].machine.coefficients);
    CHECK(results[1].machine.threshold == results[3].machine.threshold);
    CHECK(results[1].report.iterations == results[3].report.iterations);
}

TEST_CASE("one trainer serves several tasks") {
    const test::TrainingSample sample(16, 80);
    const auto kernel = kernel::parse_kernel("sst");
    std::vector<double> other;
    for (std::size_t i = 0; i < 80; ++i) {
        other.push_back(i % 5 == 0 ? 1 : -1);
    }
    const TrainingData data{kernel, sample.forest, sample.examples, sample.subset};
    SmoTrainer shared(data, {.tasks = 2});
    const auto first = shared.train({sample.labels, {}});
    const auto second = shared.train({other, {}});
    CHECK(first.machine.coefficients == SmoTrainer(data, {}).train({sample.labels, {}}).machine.coefficients);
    CHECK(second.machine.coefficients == SmoTrainer(data, {}).train({other, {}}).machine.coefficients);
}

TEST_CASE("training can be stopped and taken up") {
    const test::TrainingSample sample(17, 300);
    const auto kernel = kernel::parse_kernel("sst");
    SmoTrainer trainer({kernel, sample.forest, sample.examples, sample.subset}, {});
    const auto stopped = trainer.train({sample.labels, {}}, {}, [] { return true; });
    CHECK_FALSE(stopped.report.converged);
    const auto resumed = trainer.train({sample.labels, {}}, stopped.machine.coefficients);
    CHECK(resumed.report.converged);
    CHECK(resumed.report.objective ==
          Approx(trainer.train({sample.labels, {}}).report.objective).epsilon(1e-4));
}

TEST_CASE("one class alone is refused") {
    const test::TrainingSample sample(18, 10);
    const auto kernel = kernel::parse_kernel("sst");
    SmoTrainer trainer({kernel, sample.forest, sample.examples, sample.subset}, {});
    const std::vector<double> labels(10, 1);
    CHECK_THROWS_AS(trainer.train({labels, {}}), base::UsageError);
}
