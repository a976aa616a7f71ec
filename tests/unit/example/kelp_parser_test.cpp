#include "example/kelp_parser.hpp"

#include "base/syntax_error.hpp"
#include "support/catch.hpp"
#include "support/random_trees.hpp"
#include "tree/bracket_writer.hpp"

using namespace treeline;
using example::KelpParser;

TEST_CASE("trees, sparse and dense vectors in any order; strings are counted") {
    example::Example example;
    KelpParser parser;
    const std::string line =
        "city  |BS:text| any |words| here |ES| |BV:bow| 7:0.5 2:1 |EV| |BT:grct| (A(b)(c)) |ET||BDV:d| 1.5,0 "
        "-2 |EDV| |BT| |ET|";
    parser.parse(line, example);
    CHECK(example.label == "city");
    REQUIRE(example.trees().size() == 2);
    CHECK(test::shape_of(example.trees()[0]) == test::shape_of(test::tree_of("(A b c)")));
    CHECK(example.trees()[1].empty());
    REQUIRE(example.vectors().size() == 2);
    CHECK(example.vectors()[0] == example::SparseVector{{2, 1}, {7, 0.5}});
    CHECK(example.vectors()[1] == example::SparseVector{{1, 1.5}, {3, -2}});
    CHECK(parser.strings_left_out() == 1);
}

TEST_CASE("no label, several labels, a label alone") {
    example::Example example;
    KelpParser parser;
    parser.parse("|BT:x| (A b) |ET|", example);
    CHECK(example.label.empty());
    parser.parse("a b c |BT:x| (A b) |ET|", example);
    CHECK(example.label == "a b c");
    parser.parse("alone", example);
    CHECK(example.label == "alone");
    CHECK(example.trees().empty());
}

TEST_CASE("names of features are numbered in order of appearance") {
    example::FeatureNames names;
    KelpParser parser(&names);
    example::Example example;
    parser.parse("a |BV:bow| be::v:1 how::w:2 |EV|", example);
    parser.parse("a |BV:bow| how::w:1 12:3 be::v:4 |EV|", example);
    CHECK(example.vectors()[0] == example::SparseVector{{1, 4}, {2, 1}, {3, 3}});
    CHECK(names.names() == std::vector<std::string>{"be::v", "how::w", "12"});
}

TEST_CASE("lines that are not KeLP's are refused at their place") {
    const auto offset_of = [](const char* line) -> std::size_t {
        example::Example example;
        try {
            KelpParser().parse(line, example);
        } catch (const tree::SyntaxError& error) {
            return error.offset();
        }
        return 999;
    };
    CHECK(offset_of("a |BT:x| (A b") == 9);
    CHECK(offset_of("a |BT:x| (A b) |EV|") == 15);
    CHECK(offset_of("a |BV:x| 1:1") == 2);
    CHECK(offset_of("a |BV:x| 1:1 x:2 |EV|") == 13);
    CHECK(offset_of("a |BV:x| 1:1 1:2 |EV|") == 8);
    CHECK(offset_of("a |BV:x| 1 |EV|") == 9);
    CHECK(offset_of("a |BDV:x| 1,y |EDV|") == 12);
    CHECK(offset_of("a |BX:x| 1 |EX|") == 2);
    CHECK(offset_of("a |BT:x| (A b) |ET| more") == 20);
    CHECK(offset_of("a |<| |BT:x| (A b) |ET| |,| |>|") == 2);
}
