#include "tree/bracket_reader.hpp"

#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/random_trees.hpp"

using namespace treeline::tree;
using namespace treeline::test;
using Catch::Matchers::ContainsSubstring;
using Shape = std::vector<std::pair<std::string, std::uint32_t>>;

namespace {

Shape read(std::string_view text) { return shape_of(tree_of(text)); }

}  // namespace

TEST_CASE("A tree is read as its nodes in post-order") {
    CHECK(read("(NP (DT the) (NN cat))") == Shape{{"the", 0}, {"DT", 1}, {"cat", 0}, {"NN", 1}, {"NP", 2}});
    CHECK(read("(NP the cat)") == Shape{{"the", 0}, {"cat", 0}, {"NP", 2}});
    CHECK(read("(NP the (NN cat) sat)") == Shape{{"the", 0}, {"cat", 0}, {"NN", 1}, {"sat", 0}, {"NP", 3}});
    CHECK(read("(cat)") == Shape{{"cat", 0}});
    CHECK(read("()").empty());
    CHECK(read(" ( ) ").empty());
}

TEST_CASE("Bare and bracketed leaves and any white space give the same tree") {
    const auto expected = read("(NP (DT the) (NN cat) there)");
    for (const char* text : {"(NP (DT (the)) (NN (cat)) (there))", "(NP(DT the)(NN cat)there)",
                             "(NP (DT (the))(NN (cat))(there))", "  ( NP ( DT the ) ( NN cat ) there ) ",
                             "(NP\t(DT\n the)\r\n (NN\fcat)\vthere)", "( (NP (DT the) (NN cat) (there)) )",
                             "((NP (DT the) (NN cat) there))"}) {
        CAPTURE(text);
        CHECK(read(text) == expected);
    }
}

TEST_CASE("A backslash takes the meaning of brackets, white space and itself, and else stands for itself") {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"(A -LRB-)", "-LRB-"},
        {R"((A \())", "("},
        {R"((A \)))", ")"},
        {R"((A a\(b\)c))", "a(b)c"},
        {R"((A 1\/2))", R"(1\/2)"},
        {R"((A \\))", R"(\)"},
        {R"((A \\\\))", R"(\\)"},
        {R"((A \\\())", R"(\()"},
        {R"((A x\ y))", "x y"},
        {"(A x\\\ty)", "x\ty"},
        {"(A x\\\ry)", "x\ry"},
        {R"((A \a\b))", R"(\a\b)"},
        {R"((A \/\)))", R"(\/))"},
        {"(A x\\\n)", "x\\"},
        {R"((A #))", "#"},
        {R"((A |ET|))", "|ET|"},
        {"(A \xe5\x8f\x8b)", "\xe5\x8f\x8b"},
    };
    for (const auto& [text, word] : cases) {
        CAPTURE(text);
        CHECK(read(text) == Shape{{word, 0}, {"A", 1}});
    }
    CHECK(read(R"((\(A\) (\\ x)))") == Shape{{"x", 0}, {"\\", 1}, {"(A)", 1}});
}

TEST_CASE("Labels with escapes stay valid when their tree is moved and others follow") {
    std::string text = "(A";
    for (int i = 0; i < 1000; ++i) {
        text += " \\(" + std::to_string(i);
    }
    text += ")";
    TreeText tree = tree_of(text);
    const TreeText moved = std::move(tree);
    CHECK(moved.nodes[0].label == "(0");
    CHECK(moved.nodes[999].label == "(999");
}

TEST_CASE("Text that is no tree is an error at the place where it goes wrong") {
    struct Case {
        std::string text;
        std::size_t offset;
        std::string message;
    };
    const std::vector<Case> cases{
        {"", 0, "no tree; expected '('"},
        {"   ", 3, "no tree; expected '('"},
        {"NP", 0, "found 'NP'; expected '(' to start a tree"},
        {") (NP a)", 0, "expected '(' to start a tree"},
        {"\\(NP a)", 0, "expected '(' to start a tree"},
        {"(", 0, "never closed"},
        {"(NP", 0, "never closed"},
        {"(NP (DT the) (NN cat)", 0, "never closed"},
        {"(NP (DT the) (NN cat", 13, "never closed"},
        {"(NP (", 4, "never closed"},
        {"(NP ( ", 4, "never closed"},
        {"(NP a\\)", 0, "never closed"},
        {"(NP a\\", 0, "never closed"},
        {"(NP a\\\\\\)", 0, "never closed"},
        {"(NP ())", 5, "empty label"},
        {"(NP ( ) a)", 6, "empty label"},
        {"(NP ((DT the)))", 5, "empty label"},
        {"(())", 2, "empty label"},
        {"((NP a) (VP b))", 0, "around several trees"},
        {"((NP a) b)", 8, "found 'b' in a bracket without a label"},
        {"((a))", 0, "around a leaf"},
        {std::string("(N\0P a)", 7), 2, "NUL byte"},
        {std::string("(NP \0)", 6), 4, "NUL byte"},
        {std::string("(NP a\\\0)", 8), 6, "NUL byte"},
        {std::string("(\0)", 3), 1, "NUL byte"},
    };
    BracketReader reader;
    TreeText tree;
    for (const auto& [text, offset, message] : cases) {
        CAPTURE(text);
        try {
            reader.read(text, 0, tree);
            FAIL_CHECK("read without an error");
        } catch (const SyntaxError& error) {
            CHECK(error.offset() == offset);
            CHECK_THAT(error.what(), ContainsSubstring(message));
        }
        reader.read("(NP a)", 0, tree);
        CHECK(shape_of(tree) == Shape{{"a", 0}, {"NP", 1}});
    }
}

TEST_CASE("Reading stops after the tree and the white space after it") {
    BracketReader reader;
    TreeText tree;
    const std::string_view text = " (A a)  (B b)|ET|";
    const std::size_t second = reader.read(text, 0, tree);
    CHECK(second == 8);
    CHECK(tree.nodes.back().label == "A");
    CHECK(text.substr(reader.read(text, second, tree)) == "|ET|");
    CHECK(tree.nodes.back().label == "B");
    CHECK(reader.read("(A a))", 0, tree) == 5);
    CHECK(reader.read("()()", 0, tree) == 2);
}
