#include "example/class_set.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/data_error.hpp"
#include "support/catch.hpp"

using namespace treeline;
using namespace treeline::example;
using Names = std::vector<std::string>;

namespace {

ClassSet set_of(const Names& labels) { return ClassSet(labels); }

}  // namespace

TEST_CASE("numbers are compared as numbers, everything else as text") {
    CHECK(same_class("1", "+1"));
    CHECK(same_class("1.0", "1e0"));
    CHECK(same_class("-0", "0"));
    CHECK_FALSE(same_class("1", "-1"));
    CHECK_FALSE(same_class("NUM", "num"));
    CHECK_FALSE(same_class("1", "1x"));
    CHECK_FALSE(same_class("10000000000000000", "10000000000000001"));
    CHECK(same_class("", ""));
}

TEST_CASE("the order of classes does not depend on the order of labels") {
    const std::vector<std::pair<Names, Names>> cases{
        {{"-1", "+1"}, {"+1", "-1"}},
        {{"1", "-1", "1.0"}, {"+1", "-1"}},
        {{"1", "0"}, {"0", "1"}},
        {{"10", "9", "x", "-1", "X"}, {"-1", "9", "10", "X", "x"}},
        {{"yes", "no"}, {"no", "yes"}},
        {{"+1", "-1", "0"}, {"-1", "0", "+1"}},
        {{}, {}},
    };
    for (auto [labels, names] : cases) {
        std::ranges::sort(labels);
        do {
            CHECK(set_of(labels).names() == names);
        } while (std::ranges::next_permutation(labels).found);
    }
}

TEST_CASE("classes are named as they are written, but +1 and -1") {
    CHECK(set_of({"01", "02", "01"}).names() == Names{"01", "02"});
    CHECK(set_of({"01", "2", "1"}).names() == Names{"1", "2"});
    CHECK(set_of({"+1", "0"}).names() == Names{"0", "+1"});
    CHECK(set_of({"1", "-1.0"}).names() == Names{"+1", "-1"});
    CHECK(set_of({"1"}).names() == Names{"1"});
    CHECK_FALSE(set_of({"1"}).is_signed());
    CHECK(set_of({"+1"}).is_signed());
    CHECK(set_of({"1", "+1"}).names() == Names{"+1"});
}

TEST_CASE("of two classes the larger number or the later word is positive") {
    const auto positive = [](const Names& labels) { return set_of(labels).model_names()[0]; };
    CHECK(positive({"-1", "+1"}) == "+1");
    CHECK(positive({"1", "0"}) == "1");
    CHECK(positive({"2", "10"}) == "10");
    CHECK(positive({"yes", "no"}) == "yes");
    CHECK(positive({"negative", "positive"}) == "positive");
    CHECK(set_of({"c", "a", "b"}).model_names() == Names{"a", "b", "c"});
}

TEST_CASE("a label finds its class however it is written") {
    const ClassSet set = set_of({"0", "1", "other"});
    CHECK(set.find("1.0") == 1U);
    CHECK(set.find("other") == 2U);
    CHECK_FALSE(set.find("2"));
    CHECK(rest_of("a") == "rest");
    CHECK(rest_of("rest") != "rest");
}

TEST_CASE("fewer than two classes are refused with the same words everywhere") {
    CHECK_THROWS_WITH(require_two_classes(ClassSet()), "there are no training examples");
    CHECK_THROWS_WITH(require_two_classes(set_of({"a", "a"})),
                      "all training examples have the label 'a'; a classifier needs two classes");
    CHECK_THROWS_AS(require_two_classes(set_of({"1", "+1"})), base::DataError);
    CHECK_NOTHROW(require_two_classes(set_of({"a", "b"})));
}
