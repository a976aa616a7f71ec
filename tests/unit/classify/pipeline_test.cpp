#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "classify/training.hpp"
#include "classify/tree_classifier.hpp"
#include "linear/linear_trainer.hpp"
#include "support/catch.hpp"
#include "support/sample_dictionary.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using Catch::Matchers::WithinAbs;

namespace {

/// Examples of a planted signal.
struct Data {
    test::TemporaryFolder folder;
    tree::Forest forest;
    example::ExampleSet set;

    explicit Data(std::size_t count, const std::vector<std::string>& labels = {"+1", "-1"}) {
        const std::string path = folder.file("train.dat", test::sample_examples(1, count, labels));
        (void)example::read_examples(path, {}, forest, set);
    }
    [[nodiscard]] std::string write(const classify::KernelClassifier& classifier) const {
        store::write_kernel_model(folder / "model.svm", classifier.classes()[0].models[0],
                                  classifier.forest(), classifier.examples());
        return folder / "model.svm";
    }
};

double accuracy(const Data& data, const auto& classifier) {
    const classify::Decisions decisions = classifier.classify(data.set, data.forest);
    double hits = 0;
    for (std::size_t i = 0; i < data.set.size(); ++i) {
        hits += classifier.label_of(decisions.row(i)) == data.set.label_text(i);
    }
    return hits / static_cast<double>(data.set.size());
}

}  // namespace

TEST_CASE("A trained kernel classifier decides as its model file does, on any number of threads") {
    const Data data(150);
    const auto classifier = classify::train_kernel_classifier(data.set, data.forest, {});
    CHECK(classifier.labels() == std::vector<std::string>{"+1", "-1"});
    CHECK(accuracy(data, classifier) > 0.9);
    const auto decisions = classifier.classify(data.set, data.forest);
    REQUIRE(decisions.size() == data.set.size());
    base::run_with_threads(3, [&] {
        CHECK(classify::train_kernel_classifier(data.set, data.forest, {})
                  .classify(data.set, data.forest)
                  .values == decisions.values);
    });
    auto read = classify::KernelClassifier::read(data.write(classifier));
    CHECK(read.labels() == classifier.labels());
    const auto again = read.classify(data.set, data.forest);
    // Examples appended to the classifier's own give the same as those of a set beside it.
    const auto first = static_cast<std::uint32_t>(read.examples().size());
    for (std::size_t i = 0; i < data.set.size(); ++i) {
        read.examples().add(data.set, i, data.forest, read.forest());
    }
    std::vector<std::uint32_t> targets(data.set.size());
    std::iota(targets.begin(), targets.end(), first);
    CHECK(read.classify(targets).values == again.values);
    for (std::size_t i = 0; i < data.set.size(); ++i) {
        REQUIRE_THAT(again.values[i], WithinAbs(decisions.values[i], 1e-7));
    }
}

TEST_CASE("Several classes: the largest value wins; a single one against the rest has no other name") {
    const Data data(200, {"NUM", "HUM", "LOC"});
    const auto classifier = classify::train_kernel_classifier(data.set, data.forest, {});
    REQUIRE(classifier.labels().size() == 3);
    CHECK(accuracy(data, classifier) > 0.8);
    CHECK(classifier.label_of(std::vector<double>{-1, 2, 2}) == classifier.labels()[1]);
    svm::MachineOptions options;
    options.classes.positive = "NUM";
    const auto one = classify::train_kernel_classifier(data.set, data.forest, options);
    CHECK(one.labels() == std::vector<std::string>{"NUM", "rest"});
    CHECK(one.gold_label("NUM") == "NUM");
    CHECK(one.gold_label("HUM") == "rest");
    CHECK(one.label_of(std::vector<double>{-0.1}) == "rest");
}

TEST_CASE("A linear model of mined weights over all fragments decides as the kernel machine does") {
    const std::string kernel = GENERATE("sst", "st", "sst-bow");
    const Data data(25);
    svm::MachineOptions options;
    options.kernel = kernel;
    const auto machine = classify::train_kernel_classifier(data.set, data.forest, options);
    fragment::MinerOptions miner;
    miner.top = 0;
    (void)classify::mine_dictionary(machine, miner, data.folder / "dict");
    const store::Dictionary dictionary(data.folder / "dict");
    const classify::TreeSpace space(dictionary);
    const auto rows = space.vectorize(data.set, data.forest);
    const auto decisions = machine.classify(data.set, data.forest);
    std::vector<double> weights(dictionary.size());
    dictionary.for_each([&](const store::Dictionary::Entry& entry) {
        weights[entry.id] = entry.record.models[0].relevance;
        return true;
    });
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double sum = -machine.classes()[0].models[0].threshold;
        for (std::size_t k = 0; k < rows.row(i).indices.size(); ++k) {
            sum += weights[rows.row(i).indices[k]] * static_cast<double>(rows.row(i).values[k]);
        }
        REQUIRE_THAT(sum, WithinAbs(decisions.values[i], 1e-4));
    }
}

TEST_CASE("Trees to a linear classifier that explains itself, on any number of threads") {
    const std::vector<std::string> labels =
        GENERATE(std::vector<std::string>{"+1", "-1"}, std::vector<std::string>{"NUM", "HUM", "LOC"});
    const Data data(300, labels);
    fragment::MinerOptions miner;
    miner.top = 300;
    (void)classify::mine_dictionary(classify::train_kernel_classifier(data.set, data.forest, {}), miner,
                                    data.folder / "dict");
    const classify::TreeSpace space{store::Dictionary(data.folder / "dict")};
    const auto rows = space.vectorize(data.set, data.forest);
    CHECK(rows.problem().rows.size() == 300);
    const store::LinearModelFile file = classify::train_linear_model(space, rows, {});
    store::write_linear_model(data.folder / "model.linear", file);
    const auto classifier =
        classify::TreeClassifier::read(data.folder / "dict", data.folder / "model.linear");
    CHECK(accuracy(data, classifier) > 0.85);
    const auto decisions = classifier.classify(data.set, data.forest);
    base::run_with_threads(
        3, [&] { CHECK(classifier.classify(data.set, data.forest).values == decisions.values); });
    for (std::size_t i = 0; i < 20; ++i) {
        const classify::Explanation why = classifier.explain(data.set, data.forest, i, 5);
        CHECK(why.predicted == classifier.label_of(decisions.row(i)));
        CHECK(why.gold == data.set.label_text(i));
        double sum = why.bias + why.rest;
        for (const classify::Contribution& item : why.top) {
            sum += item.product;
            CHECK(!item.nodes.empty());
            CHECK(item.nodes.back() < why.nodes.size());
        }
        CHECK_THAT(sum, WithinAbs(why.decision, 1e-12));
    }
}

TEST_CASE("A model of another dictionary, and costs that a solver does not know, are refused") {
    const Data data(60);
    const auto machine = classify::train_kernel_classifier(data.set, data.forest, {});
    fragment::MinerOptions miner;
    miner.top = 20;
    (void)classify::mine_dictionary(machine, miner, data.folder / "a");
    miner.top = 30;
    (void)classify::mine_dictionary(machine, miner, data.folder / "b");
    const classify::TreeSpace space{store::Dictionary(data.folder / "a")};
    const auto rows = space.vectorize(data.set, data.forest);
    const store::LinearModelFile file = classify::train_linear_model(space, rows, {});
    CHECK_THROWS_AS(classify::TreeClassifier(store::Dictionary(data.folder / "b"), file), base::InputError);
    CHECK_NOTHROW(classify::TreeClassifier(store::Dictionary(data.folder / "a"), file));

    Data costly(60);
    const std::string path = costly.folder.file("costly.dat", "+1 cost:3 |BT| (S (NP (NN cat))) |ET|\n");
    (void)example::read_examples(path, {}, costly.forest, costly.set);
    const auto weighed = space.vectorize(costly.set, costly.forest);
    linear::LinearOptions options;
    options.solver = linear::LinearSolver::kMcsvmCs;
    CHECK_THROWS_AS(classify::train_linear_model(space, weighed, options), base::UsageError);
    options.solver = linear::LinearSolver::kL2rL1lossSvcDual;
    CHECK(classify::train_linear_model(space, weighed, options).model.labels.size() == 2);
}
