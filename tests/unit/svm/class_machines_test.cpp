#include "svm/class_machines.hpp"

#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "support/catch.hpp"
#include "support/sample_dictionary.hpp"
#include "support/temporary_folder.hpp"
#include "svm/parameter_search.hpp"

using namespace treeline;
using Catch::Matchers::WithinAbs;

namespace {

struct Data {
    test::TemporaryFolder folder;
    tree::Forest forest;
    example::ExampleSet set;
    std::vector<std::uint32_t> all;
    kernel::KernelDescription kernel = kernel::parse_kernel("sst");

    explicit Data(const std::vector<std::string>& labels, std::size_t count = 120) {
        const std::string path = folder.file("train.dat", test::sample_examples(3, count, labels));
        (void)example::read_examples(path, {}, forest, set);
        all.resize(set.size());
        std::iota(all.begin(), all.end(), 0U);
    }
    [[nodiscard]] svm::TrainingData training() const { return {kernel, forest, set, all}; }
};

}  // namespace

TEST_CASE("every question gets its machine; what is finished is not trained again") {
    const Data data({"NUM", "HUM", "LOC"});
    const example::Classes classes(data.set, data.all, {});
    std::vector<std::size_t> heard;
    const auto hear = [&](std::size_t question, const svm::TrainingOutcome&) { heard.push_back(question); };
    const auto machines =
        svm::train_machines(data.training(), classes, {}, {}, base::silent_observer(), {}, hear);
    REQUIRE(machines.size() == 3);
    CHECK(heard == std::vector<std::size_t>{0, 1, 2});
    heard.clear();
    const auto later = svm::train_machines(data.training(), classes, {}, {{machines[0], machines[1]}, {}},
                                           base::silent_observer(), {}, hear);
    CHECK(heard == std::vector<std::size_t>{2});
    for (std::size_t q = 0; q < 3; ++q) {
        CHECK(later[q].coefficients == machines[q].coefficients);
        CHECK(later[q].threshold == machines[q].threshold);
    }
}

TEST_CASE("a stop leaves the machine at work as the last one") {
    const Data data({"NUM", "HUM", "LOC"});
    const example::Classes classes(data.set, data.all, {});
    bool converged = true;
    const auto machines = svm::train_machines(
        data.training(), classes, {}, {}, base::silent_observer(), [] { return true; },
        [&](std::size_t, const svm::TrainingOutcome& outcome) { converged = outcome.converged; });
    CHECK(machines.size() == 1);
    CHECK(!converged);
}

TEST_CASE("costs are those of the examples, times the factor of positive ones") {
    Data data({"+1", "-1"}, 4);
    const std::vector<double> labels{1, -1, 1, -1};
    CHECK(svm::example_costs(data.set, data.all, labels, 1).empty());
    CHECK(svm::example_costs(data.set, data.all, labels, 2) == std::vector<double>{2, 1, 2, 1});
    data.set.add_label("+1", 3);
    const std::vector<std::uint32_t> last{0, 4};
    CHECK(svm::example_costs(data.set, last, std::vector<double>{-1, 1}, 2) == std::vector<double>{1, 6});
}

TEST_CASE("candidates are the product of the lists; an empty list is the value of the options") {
    svm::MachineOptions options;
    options.kernel = "sst";
    options.trainer.c = 7;
    CHECK(svm::make_candidates({}, options).size() == 1);
    CHECK(svm::make_candidates({}, options)[0].cost == 7);
    const auto found = svm::make_candidates(
        {.kernels = {"sst", "linear"}, .lambdas = {0.2, 0.4}, .costs = {1, 2}, .cost_factors = {}}, options);
    REQUIRE(found.size() == 6);  // a vector kernel has no lambda
    CHECK(to_string(found[0].kernel) == to_string(kernel::parse_kernel("sst(lambda=0.2)")));
    CHECK(found[1].cost == 2);
    CHECK(to_string(found[5].kernel) == "linear");
    CHECK(svm::make_candidates(svm::usual_grid(), options).size() == 12);
}

TEST_CASE("a search scores what the folds leave out, the same on any number of threads") {
    const std::vector<std::string> labels =
        GENERATE(std::vector<std::string>{"+1", "-1"}, std::vector<std::string>{"NUM", "HUM", "LOC"});
    const Data data(labels, 400);
    svm::MachineOptions options;
    std::vector<evaluate::Fold> folds(1);
    for (std::uint32_t i = 0; i < data.set.size(); ++i) {
        (i < 300 ? folds[0].training : folds[0].test).push_back(i);
    }
    const svm::ParameterSearch search(data.forest, data.set, folds, options, 100);
    CHECK(search.is_two_class() == (labels.size() == 2));
    const auto candidate = svm::make_candidates({.kernels = {"sst"}, .costs = {10}}, options)[0];
    const auto score = search.measure(candidate);
    CHECK(score.macro_f1 > 0);
    if (search.is_two_class()) {  // of three classes, only the first can be told from trees not seen
        CHECK(score.value > 65);
        const double f1 = 2 * score.precision * score.recall / (score.precision + score.recall);
        CHECK_THAT(score.value, WithinAbs(f1, 1e-9));
    }
    CHECK(score.measure == (search.is_two_class() ? evaluate::Measure::kF1 : evaluate::Measure::kAccuracy));
    using enum evaluate::Measure;
    for (const auto& [measure, value] :
         {std::pair{kAccuracy, score.accuracy}, std::pair{kMacroF1, score.macro_f1}}) {
        const svm::ParameterSearch other(data.forest, data.set, folds, options, 100, measure);
        CHECK(other.measure(candidate).value == value);
    }
    CHECK(score.support_vectors > 0);
    base::run_with_threads(3, [&] { CHECK(search.measure(candidate).value == score.value); });
    CHECK_THROWS_AS(search.measure(candidate, [] { return true; }), base::Error);
}
