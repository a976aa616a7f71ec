#include "example/example_parser.hpp"

#include <string>
#include <vector>

#include "base/text.hpp"
#include "support/catch.hpp"
#include "tree/bracket_writer.hpp"

using namespace treeline::tree;
using namespace treeline::example;
using Catch::Matchers::ContainsSubstring;
using enum ExampleFormat;

namespace {

/// An example in one fixed notation: label, cost unless 1, trees, vectors in brackets.
std::string show(const Example& example) {
    std::string out(example.label);
    if (example.cost != 1) {
        out += " cost " + treeline::base::format_double(example.cost);
    }
    for (const auto& tree : example.trees()) {
        append_tree(out += ' ', tree);
    }
    for (const auto& vector : example.vectors()) {
        out += " [";
        for (const auto& [index, value] : vector) {
            out += (out.ends_with('[') ? "" : " ") + std::to_string(index) + ":" +
                   treeline::base::format_double(value);
        }
        out += ']';
    }
    return out;
}

std::string parse(std::string_view line, ExampleFormat format) {
    ExampleParser parser;
    Example example;
    parser.parse(line, format, example);
    return show(example);
}

struct BadCase {
    std::string line;
    std::size_t offset;
    std::string message;
};

void check_errors(const std::vector<BadCase>& cases, ExampleFormat format) {
    for (const auto& [line, offset, message] : cases) {
        CAPTURE(line);
        try {
            const auto parsed = parse(line, format);
            FAIL_CHECK("parsed as " << parsed);
        } catch (const SyntaxError& error) {
            CHECK(error.offset() == offset);
            CHECK_THAT(error.what(), ContainsSubstring(message));
        }
    }
}

}  // namespace

TEST_CASE("SVM-light-TK lines hold any number of trees and vectors") {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"+1 |BT| (S (NP a) b) |ET|", "+1 (S (NP a) b)"},
        {"-1 |BT| (S a) |BT| (T b) |ET|", "-1 (S a) (T b)"},
        {"-1 |BT| |ET|", "-1 ()"},
        {"-1 |BT| |BT| (S a) |BT| |ET| |EV|", "-1 () (S a) ()"},
        {"-1 |BT| (S a) |ET| 1:1 3:0.5 |EV|", "-1 (S a) [1:1 3:0.5]"},
        {"-1 |BT| (S a) |ET| 1:1 |BV| 3:0.5", "-1 (S a) [1:1] [3:0.5]"},
        {"-1 |BT| (S a) |ET| |BV| 3:0.5 |EV|", "-1 (S a) [] [3:0.5]"},
        {"-1 |BT| (S a) |ET| 1:1 |BV| |BV| 2:2 |BV| |EV|", "-1 (S a) [1:1] [] [2:2] []"},
        {"  NUM:dist\t|BT|(S a)|BT|(T (b))|ET|1:1 |BV|2:1 |EV|", "NUM:dist (S a) (T b) [1:1] [2:1]"},
        {"x |BT| (|ET| |BT|) |ET|  ", "x (|ET| |BT|)"},
        {"x |BT| (S (# #) (NN #b)) |ET| # |BT| (junk", "x (S (# #) (NN #b))"},
        {"0 |BT| ( (S a) ) |ET|", "0 (S a)"},
    };
    for (const auto& [line, shown] : cases) {
        CAPTURE(line);
        CHECK(parse(line, kSvmLightTk) == shown);
    }
}

TEST_CASE("Plain vector lines have one vector, a label alone an empty one") {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"+1 1:1 2:-0.5 4294967295:1e-3", "+1 [1:1 2:-0.5 4294967295:0.001]"},
        {"3 7:+2 # 8:3", "3 [7:2]"},
        {"3 7:2 #8:3", "3 [7:2]"},
        {"+1", "+1 []"},
        {"+1 #", "+1 []"},
        {"+1 |EV|", "+1 []"},
        {"+1 1:1 |BV| 1:2 |EV| # x", "+1 [1:1] [1:2]"},
        {"a\t1:0\v2:1\r", "a [1:0 2:1]"},
        {"B-NP#1 1:1", "B-NP#1 [1:1]"},
    };
    for (const auto& [line, shown] : cases) {
        CAPTURE(line);
        CHECK(parse(line, kSvmLightTk) == shown);
    }
}

TEST_CASE("A cost stands after the label") {
    CHECK(parse("+1 cost:2.5 |BT| (S a) |ET|", kSvmLightTk) == "+1 cost 2.5 (S a)");
    CHECK(parse("+1 cost:2 1:1", kSvmLightTk) == "+1 cost 2 [1:1]");
    CHECK(parse("A\tcost:0.5\t(S a)", kLabelTabTree) == "A cost 0.5 (S a)");
}

TEST_CASE("Bad SVM-light-TK lines are errors at the place where they go wrong") {
    check_errors(
        {
            {"", 0, "no label"},
            {" # x", 1, "as comments do"},
            {"|BT| (S a) |ET|", 0, "found '|BT|'; expected a label first"},
            {"|EV|", 0, "expected a label first"},
            {"(S a)", 0, "expected a label first"},
            {"1:1 2:1", 0, "found '1:1'; expected a label first"},
            {std::string("a\0b 1:1", 7), 1, "NUL byte"},
            {"+1 |BT| (S a)", 13, "the line ends after a tree; expected '|BT|' or '|ET|'"},
            {"+1 |BT| (S a) # |ET|", 14, "the line ends after a tree"},
            {"+1 |BT| (S a)) |ET|", 13, "found ')' after a tree"},
            {"+1 |BT| (S a) (S b) |ET|", 14, "found '(' after a tree"},
            {"+1 |BT| (S a) 1:1 |ET|", 14, "found '1:1' after a tree"},
            {"+1 |BT| (S a |ET|", 8, "never closed"},
            {"+1 |BT| (S (NP a) |ET|", 8, "never closed"},
            {"+1 |BT|", 7, "no tree"},
            {"+1 |BT| #", 8, "expected '('"},
            {"+1 |BT| cat |ET|", 8, "found 'cat |ET|'; expected '('"},
            {"+1 |BT| (S ()) |ET|", 12, "empty label"},
            {"+1 |BT| () |ET|", 8, "a tree without nodes"},
            {"#1 |BT| (S a) |ET|", 0, "the label '#1' starts with '#'"},
            {"+1 (S a)", 3, "a space between label and tree; expected a tab"},
            {"+1 |ET| 1:1", 3, "found '|ET|'; expected a feature"},
            {"+1 1:1 |BT| (S a) |ET|", 7, "expected the trees before the vectors"},
            {"+1 |BT| (S a) |ET| 1:1 |BV| |BT| (S a) |ET|", 28, "expected the trees before the vectors"},
            {"+1 1:1 |EV| 2:1", 12, "found '2:1' after '|EV|'"},
            {"+1 1:1 |EV| |BT| (S a) |ET|", 12, "found '|BT|' after '|EV|'"},
            {"+1 0:1", 3, "feature index '0'; expected a whole number from 1"},
            {"+1 4294967296:1", 3, "expected a whole number from 1 to 4294967295"},
            {"+1 99999999999999999999999:1", 3, "expected a whole number"},
            {"+1 -1:1", 3, "feature index '-1'"},
            {"+1 qid:3 1:1", 3, "feature index 'qid'"},
            {"+1 :1", 3, "feature index ''"},
            {"+1 1.5:1", 3, "feature index '1.5'"},
            {"+1 1:1 1:2", 7, "feature index 1 after 1; expected ascending indices"},
            {"+1 3:1 2:2", 7, "feature index 2 after 3"},
            {"+1 1:nan", 5, "feature value 'nan'; expected a finite number"},
            {"+1 1:inf", 5, "expected a finite number"},
            {"+1 1:-inf", 5, "expected a finite number"},
            {"+1 1:1e999", 5, "expected a finite number"},
            {"+1 1:", 5, "feature value ''"},
            {"+1 1:1:1", 5, "feature value '1:1'"},
            {"+1 1:1|EV|", 5, "feature value '1|EV|'"},
            {"+1 1 : 1", 3, "found '1'; expected a feature INDEX:VALUE"},
            {"+1 hello", 3, "text without a tree"},
            {std::string("+1 1:1 \0", 8), 7, "found '\\x00'; expected a feature"},
            {"+1 cost:0 1:1", 3, "expected cost:NUMBER, a number above 0"},
            {"+1 cost:-1 1:1", 3, "a number above 0"},
            {"+1 cost: 1:1", 3, "a number above 0"},
            {"+1 cost:nan 1:1", 3, "a number above 0"},
            {"+1 1:1 cost:2", 7, "feature index 'cost'"},
        },
        kSvmLightTk);
}

TEST_CASE("Label and tree are separated by a tab, the label free of the space around it") {
    CHECK(parse("NUM:dist\t(S a)", kLabelTabTree) == "NUM:dist (S a)");
    CHECK(parse("A\t \t(S a) \t", kLabelTabTree) == "A (S a)");
    CHECK(parse(" two words \t(S (a))", kLabelTabTree) == "two words (S a)");
    CHECK(parse("A\t(S |BT| # cost:1)", kLabelTabTree) == "A (S |BT| # cost:1)");
}

TEST_CASE("Bad LABEL<TAB>tree lines are errors at the place where they go wrong") {
    check_errors(
        {
            {"A (S a)", 7, "no tab in the line; expected LABEL<TAB>tree"},
            {"\t(S a)", 0, "no label"},
            {"  \t(S a)", 2, "no label"},
            {"A\t", 2, "no tree; expected '('"},
            {"A\t ()", 3, "a tree without nodes"},
            {"#A\t(S a)", 0, "the label '#A' starts with '#'"},
            {" #A\t(S a)", 1, "the label '#A' starts with '#'"},
            {"A\x01\t(S a)", 1, "control character"},
            {"A\tcat", 2, "found 'cat'; expected '('"},
            {"A\t(S a) b", 8, "found 'b' after the tree; expected the end of the line"},
            {"A\t(S a)\tb", 8, "found 'b' after the tree"},
            {"A\t(S a) # b", 8, "found '# b' after the tree"},
            {"A\t(S a))", 7, "unbalanced ')' after the tree"},
            {"A\t(S a", 2, "never closed"},
            {"A\tcost:2", 8, "no tree; expected LABEL<TAB>cost:NUMBER<TAB>tree"},
            {"A\tcost:x\t(S a)", 2, "expected cost:NUMBER"},
            {std::string(" \0\t(S a)", 8), 1, "NUL byte"},
        },
        kLabelTabTree);
}

TEST_CASE("A line of the tree format is one tree and nothing else") {
    CHECK(parse("  (S a)  ", kTrees) == " (S a)");
    check_errors({{"()", 0, "a tree without nodes, '()'"},
                  {" ( )", 1, "a tree without nodes"},
                  {"(S a) (S b)", 6, "found '(S b)' after the tree"},
                  {"x (S a)", 0, "found 'x (S a)'"}},
                 kTrees);
}

TEST_CASE("Nothing of an example shows through in the next one") {
    ExampleParser parser;
    Example example;
    parser.parse("A cost:2 |BT| (S \\() |BT| (T b) |ET| 1:1 |BV| 2:2", kSvmLightTk, example);
    parser.parse("B |BT| |ET|", kSvmLightTk, example);
    CHECK(show(example) == "B ()");
    CHECK_THROWS_AS(parser.parse("C cost:3 1:1 1:1", kSvmLightTk, example), SyntaxError);
    parser.parse("(S a)", kTrees, example);
    CHECK(show(example) == " (S a)");
}

TEST_CASE("A line of 100,000 trees with escapes and without spaces costs time and memory in proportion") {
    constexpr std::size_t kCount = 100'000;
    std::string line = "A ";
    for (std::size_t i = 0; i < kCount; ++i) {
        line += "|BT|(\\(a b)";
    }
    ExampleParser parser;
    Example example;
    parser.parse(line + "|ET|", kSvmLightTk, example);
    REQUIRE(example.trees().size() == kCount);
    CHECK(example.trees()[0].nodes[1].label == "(a");
    CHECK(example.trees()[kCount - 1].nodes[1].label == "(a");
}

TEST_CASE("The format of a line is told from its looks") {
    const std::vector<std::pair<std::string, ExampleFormat>> cases{
        {"+1 |BT| (S a) |ET|", kSvmLightTk},
        {"+1\t|BT| (S a) |ET|", kSvmLightTk},
        {"+1\t1:1 2:1", kSvmLightTk},
        {"+1 1:1 2:1", kSvmLightTk},
        {"+1", kSvmLightTk},
        {"+1\tcost:2\t|BT| (S a) |ET|", kSvmLightTk},
        {"+1 cost:2 |BT| (S a) |ET|", kSvmLightTk},
        {"A\t(S a)", kLabelTabTree},
        {"A\t (S (|BT| a))", kLabelTabTree},
        {"A\tcost:2\t(S a)", kLabelTabTree},
        {"two words\t(S a)", kLabelTabTree},
        {"(S a)", kTrees},
        {"  (S (NP a) b) ", kTrees},
        {"()", kTrees},
        {R"((S \( \( a))", kTrees},
        {"(S a))", kTreebank},
        {"(S (NP a)", kTreebank},
        {"(S", kTreebank},
        {"(S a) (S b)", kTreebank},
        {"( (S a) )", kTreebank},
        {"((S (NP a) b))", kTreebank},
    };
    for (const auto& [line, format] : cases) {
        CAPTURE(line);
        CHECK(guess_format(line) == format);
    }
}
