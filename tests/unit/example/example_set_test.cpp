#include "example/example_set.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline::tree;
using namespace treeline::example;
using namespace treeline::test;

namespace {

class RecordingObserver final : public treeline::base::ProgressObserver {
  public:
    std::string task;
    std::uint64_t done = 0;
    bool finished = false;
    void start(std::string_view what, std::uint64_t) override { task = what; }
    void update(std::uint64_t count) override { done = count; }
    void finish() override { finished = true; }
    void note(std::string_view) override {}
};

}  // namespace

TEST_CASE("An example set keeps labels, costs, trees and vectors of every example") {
    const TemporaryFolder folder;
    const auto path = folder.file("x",
                                  "B |BT| (S a) |BT| |ET| 1:1 7:2 |BV| |BV| 3:4\n"
                                  "A |BT| (S a) |ET|\n"
                                  "B cost:2 9:1\n"
                                  "C\n");
    Forest forest;
    ExampleSet set;
    const auto report = read_examples(path, {}, forest, set);
    CHECK(report.examples == 4);
    CHECK(report.bad.skipped() == 0);
    REQUIRE(set.size() == 4);

    CHECK(set.label_names().size() == 3);
    CHECK(raw(set.label(0)) == 0);
    CHECK(set.label(2) == set.label(0));
    CHECK(set.label_text(1) == "A");
    CHECK(set.has_costs());
    CHECK(set.cost(0) == 1);
    CHECK(set.cost(2) == 2);
    CHECK(set.cost(3) == 1);

    REQUIRE(set.trees(0).size() == 2);
    REQUIRE(set.trees(1).size() == 1);
    CHECK(set.trees(0)[0] == set.trees(1)[0]);
    CHECK(set.trees(0)[1] == kEmptyTree);
    CHECK(set.trees(2).empty());
    CHECK(forest.size() == 2);

    REQUIRE(set.vector_count(0) == 3);
    const auto first = set.vector(0, 0);
    CHECK(std::vector(first.begin(), first.end()) == std::vector<Feature>{{1, 1}, {7, 2}});
    CHECK(set.vector(0, 1).empty());
    CHECK(set.vector(0, 2)[0] == Feature{3, 4});
    CHECK(set.vector_count(1) == 0);
    CHECK(set.vector(2, 0)[0] == Feature{9, 1});
    CHECK(set.vector_count(3) == 1);
    CHECK(set.vector(3, 0).empty());

    CHECK(set.most_trees() == 2);
    CHECK(set.most_vectors() == 3);
    CHECK(set.highest_feature() == 9);
    CHECK(set.bytes() > 0);
}

TEST_CASE("Sets without costs keep none, and two sets share a forest") {
    const TemporaryFolder folder;
    const auto path = folder.file("x", "(S a)\n(S b)\n");
    Forest forest;
    ExampleSet one;
    ExampleSet two;
    read_examples(path, {}, forest, one);
    read_examples(path, {.records = {.limit = 1}}, forest, two);
    CHECK_FALSE(one.has_costs());
    CHECK(one.cost(1) == 1);
    CHECK(one.label_text(0).empty());
    CHECK(two.size() == 1);
    CHECK(one.trees(0)[0] == two.trees(0)[0]);
    CHECK(forest.size() == 4);
}

TEST_CASE("Reading reports skipped examples and tells its observer") {
    const TemporaryFolder folder;
    std::string content;
    for (int i = 0; i < 5000; ++i) {
        content += "(S a)\n(S\n";
    }
    const auto path = folder.file("x", content);
    Forest forest;
    ExampleSet set;
    RecordingObserver observer;
    const auto report =
        read_examples(path, {.records = {.on_error = treeline::base::OnError::kSkip}}, forest, set, observer);
    CHECK(report.examples == 5000);
    CHECK(report.bad.skipped() == 5000);
    CHECK(report.bad.messages().front() ==
          path + ":2:1: this '(' is never closed; expected ')' before the end of the text");
    CHECK(observer.task == "reading " + path);
    CHECK(observer.done == 4096);
    CHECK(observer.finished);
}

TEST_CASE("Examples that are not wanted have a label and a cost, and nothing else of them is looked at") {
    const TemporaryFolder folder;
    const auto path = folder.file("x",
                                  "A |BT| (S a) |ET| 1:1\n"
                                  "B cost:2 |BT| (S (b |ET| 3:4\n"
                                  "A |BT| (S c) |ET|\n");
    Forest forest;
    ExampleSet set;
    const auto report = read_examples(path, {}, forest, set, treeline::base::silent_observer(),
                                      [](std::uint64_t number) { return number == 2; });
    CHECK(report.examples == 3);
    REQUIRE(set.size() == 3);
    CHECK(set.label(0) == set.label(2));
    CHECK(set.label_text(1) == "B");
    CHECK(set.cost(1) == 2);
    CHECK(set.trees(0).empty());
    CHECK(set.vector_count(0) == 0);
    CHECK(set.trees(1).empty());
    REQUIRE(set.trees(2).size() == 1);
    CHECK(forest.size() == 2);

    // Where bad examples are skipped, they are found all the same, so that the others keep their numbers.
    Forest skipping_forest;
    ExampleSet skipping;
    const auto skipped =
        read_examples(path, {.records = {.on_error = treeline::base::OnError::kSkip}}, skipping_forest,
                      skipping, treeline::base::silent_observer(), [](std::uint64_t) { return false; });
    CHECK(skipped.examples == 2);
    CHECK(skipped.bad.skipped() == 1);
    CHECK(skipping.size() == 2);
    CHECK(skipping_forest.size() == 0);
}

TEST_CASE("Examples copied to another set and forest are as if they had been read into them") {
    const TemporaryFolder folder;
    const auto others = folder.file("x",
                                    "Z |BT| (S (C c) (A a)) |ET| 9:1\n"
                                    "B cost:2 |BT| (S (A a) (B (C c))) |BT| |ET| 1:1 7:2 |BV| 3:4\n"
                                    "C\n"
                                    "A |BT| (S (B (C c))) |ET|\n");
    const auto alone = folder.file("y",
                                   "B cost:2 |BT| (S (A a) (B (C c))) |BT| |ET| 1:1 7:2 |BV| 3:4\n"
                                   "A |BT| (S (B (C c))) |ET|\n");
    Forest from;
    Forest copied_forest;
    Forest read_forest;
    ExampleSet all;
    ExampleSet copied;
    ExampleSet read;
    read_examples(others, {}, from, all);
    read_examples(alone, {}, read_forest, read);
    copied.add(all, 1, from, copied_forest);
    copied.add(all, 3, from, copied_forest);

    REQUIRE(copied.size() == read.size());
    CHECK(copied_forest.size() == read_forest.size());
    CHECK(copied.highest_feature() == 7);
    CHECK(copied.most_trees() == 2);
    CHECK(copied.most_vectors() == 2);
    for (std::size_t i = 0; i < read.size(); ++i) {
        CHECK(copied.label_text(i) == read.label_text(i));
        CHECK(copied.cost(i) == read.cost(i));
        CHECK(std::ranges::equal(copied.trees(i), read.trees(i)));
        REQUIRE(copied.vector_count(i) == read.vector_count(i));
        for (std::size_t which = 0; which < read.vector_count(i); ++which) {
            CHECK(std::ranges::equal(copied.vector(i, which), read.vector(i, which)));
        }
    }
}
