#include "example/example_statistics.hpp"

#include "example/example_parser.hpp"
#include "support/catch.hpp"

using namespace treeline;
using Bin = example::Distribution::Bin;

TEST_CASE("distributions have their median, mean and bins of one width") {
    example::Distribution values;
    for (const std::uint64_t value : {3, 3, 4, 9, 13}) {
        values.add(value);
    }
    CHECK(values.least() == 3);
    CHECK(values.most() == 13);
    CHECK(values.median() == 4);
    CHECK(values.mean() == Approx(6.4));
    CHECK(values.bins(4) == std::vector<Bin>{{3, 5, 3}, {6, 8, 0}, {9, 11, 1}, {12, 13, 1}});
    CHECK(values.bins(100).size() == 11);
    CHECK(example::Distribution().median() == 0);
}

TEST_CASE("duplicates and contradictions are told apart, whatever the writing") {
    example::ExampleStatistics found;
    example::ExampleParser parser;
    std::uint64_t line = 0;
    for (const char* text : {"a |BT| (A (b)) |ET|", "a |BT| (A b) |ET|", "b |BT| ( A b ) |ET|",
                             "b |BT| (A (b c)) |ET|", "a |BT| (A b) |BT| (A b) |ET|",
                             "a |BT| (A b) |ET| 1:1 |EV|", "a |BT| (A b) |ET| 1:2 |EV|", "a 1:1", "c 1:1"}) {
        example::Example example;
        parser.parse(text, example::ExampleFormat::kSvmLightTk, example);
        found.add(example, ++line);
    }
    CHECK(found.examples() == 9);
    CHECK(found.distinct() == 6);
    CHECK(found.duplicates() == 1);
    REQUIRE(found.contradictions() == 2);
    CHECK(found.contradictory() == 2);
    CHECK(found.first_contradictions()[0].line == 1);
    CHECK(found.first_contradictions()[0].other_line == 3);
    CHECK(found.first_contradictions()[1].other_label == "c");
    CHECK(found.classes() == std::map<std::string, std::uint64_t>{{"a", 6}, {"b", 2}, {"c", 1}});
    CHECK(found.depths().most() == 3);
    CHECK(found.trees().least() == 0);
}
