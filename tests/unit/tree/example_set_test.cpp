#include "tree/example_set.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline::tree;
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
    CHECK(report.skipped == 0);
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
    read_examples(path, {.limit = 1}, forest, two);
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
    const auto report = read_examples(path, {.on_error = OnError::kSkip}, forest, set, observer);
    CHECK(report.examples == 5000);
    CHECK(report.skipped == 5000);
    CHECK(report.skip_messages.front() ==
          path + ":2:1: this '(' is never closed; expected ')' before the end of the text");
    CHECK(observer.task == "reading " + path);
    CHECK(observer.done == 4096);
    CHECK(observer.finished);
}
