#include "esl/esl.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "example/decision.hpp"
#include "kernel/pairwise.hpp"
#include "kernel/tree_rows.hpp"
#include "store/linear_model.hpp"
#include "store/linear_rows.hpp"
#include "support/catch.hpp"
#include "support/sample_dictionary.hpp"
#include "support/sample_vectors.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;

namespace {

struct Setting {
    test::TemporaryFolder folder;
    esl::Options options;
    std::string examples;

    explicit Setting(std::size_t count = 300, const std::vector<std::string>& labels = {"+1", "-1"},
                     std::size_t top = 300) {
        examples = folder.file("train.dat", test::sample_examples(1, count, labels));
        test::make_sample_dictionary(folder / "dict", examples, top);
        test::make_sample_vectors(folder / "train.arrow", folder / "dict", examples);
        options.input = folder / "train.arrow";
        options.output = folder / "model";
    }
    [[nodiscard]] linear::LinearModel run() const {
        (void)esl::run(options, base::silent_observer());
        return store::read_linear_model(options.output).model;
    }
    /// Half the errors of always giving the most frequent label, or fewer.
    [[nodiscard]] bool has_learned(const linear::LinearModel& model) const {
        store::LinearRows rows(options.input);
        const linear::LinearProblem problem = rows.load();
        std::vector<double> counts(problem.labels.size());
        for (const std::uint32_t number : problem.classes) {
            ++counts[number];
        }
        const double majority = *std::ranges::max_element(counts) / static_cast<double>(problem.rows.size());
        return 1 - accuracy(model) <= (1 - majority) / 2;
    }
    [[nodiscard]] double accuracy(const linear::LinearModel& model) const {
        store::LinearRows rows(options.input);
        const linear::LinearProblem problem = rows.load();
        std::vector<double> decisions(model.columns());
        double hits = 0;
        for (std::size_t i = 0; i < problem.rows.size(); ++i) {
            model.decision_values(problem.rows[i], decisions);
            hits += model.labels[example::decide(decisions)] == problem.labels[problem.classes[i]];
        }
        return hits / static_cast<double>(problem.rows.size());
    }
};

}  // namespace

TEST_CASE("A model learns the planted signal; again is no work; another C is refused without --force") {
    Setting setting;
    const linear::LinearModel model = setting.run();
    CHECK(setting.has_learned(model));
    const std::string bytes = test::slurp(setting.options.output);
    CHECK(esl::run(setting.options, base::silent_observer()).in == 0);
    setting.options.learner.c = 10;
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("--force"));
    setting.options.common.force = true;
    CHECK(setting.run() != model);
    setting.options.learner.c = 1;
    CHECK(setting.run() == model);
    CHECK(test::slurp(setting.options.output) == bytes);
}

TEST_CASE("Three classes; the model knows the space it is over") {
    Setting setting(400, {"NUM", "HUM", "LOC"});
    CHECK(setting.accuracy(setting.run()) > 0.8);
    const auto file = store::read_linear_model(setting.options.output);
    CHECK(file.info.dictionary == store::Dictionary(setting.folder / "dict").digest());
    CHECK(file.info.norm == "kernel");
}

TEST_CASE("Too little memory for all examples: block by block, to the same accuracy") {
    Setting setting(400);
    const linear::LinearModel whole = setting.run();
    setting.options.output = setting.folder / "blocks";
    setting.options.common.memory = 8000;
    const linear::LinearModel blocks = setting.run();
    CHECK_THAT(setting.accuracy(blocks), WithinAbs(setting.accuracy(whole), 0.02));
    setting.options.learner.solver = linear::LinearSolver::kL2rLr;
    setting.options.output = setting.folder / "other";
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("--memory"));
}

TEST_CASE("Mined weights are the decision values of the kernel model, scale and bias aside") {
    Setting setting(60, {"+1", "-1"}, 0);
    setting.options.mined = true;
    setting.options.dictionary = setting.folder / "dict";
    const linear::LinearModel model = setting.run();
    REQUIRE(model.columns() == 1);

    tree::Forest forest;
    example::ExampleSet examples;
    (void)example::read_examples(setting.examples, {}, forest, examples);
    const auto kernel =
        kernel::require_single_tree_kernel(kernel::parse_kernel("sst(norm=none)"), "the test");
    std::vector<tree::NodeId> roots;
    for (std::size_t i = 0; i < examples.size(); ++i) {
        roots.push_back(examples.trees(i)[0]);
    }
    const std::vector<double> selves = kernel::self_kernels(forest, roots, kernel);
    kernel::PairwiseEvaluator evaluator(forest, kernel);
    kernel::PairwiseTree x;
    kernel::PairwiseTree y;
    store::LinearRows rows(setting.options.input);
    const linear::LinearProblem problem = rows.load();
    std::vector<double> decisions(1);
    std::vector<std::pair<double, double>> scores;  // of the kernel, of the model
    for (std::size_t i = 0; i < roots.size(); ++i) {
        double expected = 0;
        evaluator.prepare(roots[i], x);
        for (std::size_t j = 0; j < roots.size(); ++j) {
            evaluator.prepare(roots[j], y);
            if (selves[i] > 0 && selves[j] > 0) {
                expected += (examples.label_text(j) == "+1" ? 0.05 : -0.05) * evaluator.value(x, y) /
                            std::sqrt(selves[i] * selves[j]);
            }
        }
        model.decision_values(problem.rows[i], decisions);
        scores.emplace_back(expected, decisions[0] - model.bias_value(0));
    }
    const auto [most, of_most] = std::ranges::max(scores);
    const double scale = of_most / most;
    REQUIRE(scale > 0);
    for (const auto& [expected, found] : scores) {
        REQUIRE_THAT(found / scale, WithinAbs(expected, 1e-5));
    }
    // Scale and bias are the best ones: no others give less hinge loss.
    const auto hinge = [&](double factor, double shift) {
        double sum = 0;
        for (std::size_t i = 0; i < problem.rows.size(); ++i) {
            model.decision_values(problem.rows[i], decisions);
            const double sign = problem.labels[problem.classes[i]] == "+1" ? 1 : -1;
            const double score = decisions[0] - model.bias_value(0);
            sum += std::max(0.0, 1 - sign * (factor * score + model.bias_value(0) + shift));
        }
        return sum;
    };
    for (const double shift : {-1.0, -0.1, -0.001, 0.001, 0.1, 1.0}) {
        CHECK(hinge(1, 0) <= hinge(1, shift) + 1e-6);
        CHECK(hinge(1, 0) <= hinge(std::exp(shift), shift) + 1e-6);
        CHECK(hinge(1, 0) <= hinge(std::exp(shift), 0) + 1e-6);
    }
}

TEST_CASE("Mined weights of several classes; vectors of another dictionary are refused") {
    Setting setting(300, {"NUM", "HUM", "LOC"});
    setting.options.mined = true;
    setting.options.dictionary = setting.folder / "dict";
    CHECK(setting.accuracy(setting.run()) > 0.5);
    test::make_sample_dictionary(setting.folder / "other", setting.examples, 20);
    setting.options.dictionary = setting.folder / "other";
    setting.options.common.force = true;
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("another dictionary"));
}

TEST_CASE("Search over C by folds and on other vectors") {
    Setting setting(300);
    setting.options.search = true;
    setting.options.grid.from = 0.001;
    setting.options.grid.to = 1;
    setting.options.grid.factor = 10;
    setting.options.grid.folds = 3;
    CHECK(setting.has_learned(setting.run()));
    const std::string dev = setting.folder.file("dev.dat", test::sample_examples(9, 200));
    test::make_sample_vectors(setting.folder / "dev.arrow", setting.folder / "dict", dev);
    setting.options.dev = setting.folder / "dev.arrow";
    setting.options.output = setting.folder / "model2";
    CHECK(setting.has_learned(setting.run()));
}

TEST_CASE("Weights of classes, and a model to start from") {
    Setting setting;
    const linear::LinearModel plain = setting.run();
    setting.options.output = setting.folder / "b";
    setting.options.cost_factor = 50;
    CHECK(setting.run() != plain);
    setting.options.output = setting.folder / "c";
    setting.options.cost_factor = 1;
    setting.options.class_costs = {"+1=50"};
    (void)setting.run();
    CHECK(test::slurp(setting.folder / "b") == test::slurp(setting.folder / "c"));
    setting.options.class_costs = {"NUM=2"};
    setting.options.output = setting.folder / "d";
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("no example has the label 'NUM'"));
    setting.options.class_costs.clear();
    setting.options.start_from = setting.folder / "model";
    CHECK(setting.has_learned(setting.run()));
}

TEST_CASE("Contradicting options are refused") {
    const auto refused = [](auto change) {
        esl::Options options;
        change(options);
        CHECK_THROWS_AS(esl::validate(options), base::UsageError);
    };
    refused([](auto& options) { options.mined = true; });
    refused([](auto& options) { options.dev = "x"; });
    refused([](auto& options) {
        options.start_from = "x";
        options.learner.solver = linear::LinearSolver::kMcsvmCs;
    });
    refused([](auto& options) { options.learner.c = -1; });
    refused([](auto& options) { options.cost_factor = 0; });
    refused([](auto& options) { options.constant = -1; });
    refused([](auto& options) {
        options.search = true;
        options.grid.factor = 1;
    });
    refused([](auto& options) {
        options.search = true;
        options.grid.folds = 1;
    });
}
