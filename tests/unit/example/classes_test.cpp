#include "example/classes.hpp"

#include <numeric>

#include "base/data_error.hpp"
#include "support/catch.hpp"

using namespace treeline;
using namespace treeline::example;

namespace {

Classes classes_of(const std::vector<std::string>& labels, const ClassOptions& options = {}) {
    tree::Forest forest;
    example::ExampleSet set;
    example::Example example;
    for (const auto& label : labels) {
        example.clear();
        example.label = label;
        set.add(example, forest);
    }
    std::vector<std::uint32_t> subset(labels.size());
    std::iota(subset.begin(), subset.end(), 0U);
    return Classes(set, subset, options);
}

}  // namespace

TEST_CASE("two numbers: the larger one is positive, however written") {
    const auto classes = classes_of({"-1", "1", "+1.0", "-1.0"});
    CHECK(classes.questions() == std::vector<ClassQuestion>{{"+1", "-1"}});
    CHECK(classes.labels(0) == std::vector<double>{-1, 1, 1, -1});
    CHECK(classes_of({"0", "2"}).questions() == std::vector<ClassQuestion>{{"2", "0"}});
}

TEST_CASE("two words: the later one is positive, unless another is asked for") {
    CHECK(classes_of({"no", "yes"}).questions() == std::vector<ClassQuestion>{{"yes", "no"}});
    CHECK(classes_of({"yes", "no"}).questions() == std::vector<ClassQuestion>{{"yes", "no"}});
    CHECK(classes_of({"no", "yes"}, {.positive = "no"}).questions() ==
          std::vector<ClassQuestion>{{"no", "yes"}});
}

TEST_CASE("more classes: one against all, by name") {
    const auto classes = classes_of({"NUM:date", "HUM:ind", "NUM:count", "ENTY"}, {.label_until = ":"});
    CHECK(classes.questions() == std::vector<ClassQuestion>{{"ENTY", ""}, {"HUM", ""}, {"NUM", ""}});
    CHECK(classes.labels(2) == std::vector<double>{1, -1, 1, -1});
    CHECK(classes_of({"a", "b", "c"}, {.positive = "b"}).questions() ==
          std::vector<ClassQuestion>{{"b", ""}});
}

TEST_CASE("one class is not enough") {
    CHECK_THROWS_AS(classes_of({"a", "a"}), base::DataError);
    CHECK_THROWS_AS(classes_of({}), base::DataError);
    CHECK_THROWS_AS(classes_of({"1", "+1"}), base::DataError);
    CHECK_THROWS_AS(classes_of({"a", "b"}, {.positive = "c"}), base::UsageError);
}
