#include "tree/bracket_writer.hpp"

#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "support/catch.hpp"
#include "support/random_trees.hpp"

using namespace treeline::tree;
using namespace treeline::test;
using treeline::base::Random;

namespace {

std::string write(const TreeText& tree, LeafStyle style = LeafStyle::kBare) {
    std::string out;
    append_tree(out, tree, style);
    return out;
}

std::string random_label(Random& random) {
    static const std::string kTricky = "()\\\\ \t\r\v\f/-#|ab\xc3";
    std::string label;
    for (std::uint64_t length = 1 + random.below(6); length > 0; --length) {
        const auto any = static_cast<char>(1 + random.below(255));
        label += random.below(4) > 0 || any == '\n' ? kTricky[random.below(kTricky.size())] : any;
    }
    return label;
}

}  // namespace

TEST_CASE("Both leaf styles are written as people know them") {
    const auto tree = tree_of("( (NP(DT the)(NN (cat))) )");
    CHECK(write(tree) == "(NP (DT the) (NN cat))");
    CHECK(write(tree, LeafStyle::kBracketed) == "(NP (DT (the))(NN (cat)))");
    CHECK(write(tree, LeafStyle::kCompact) == "(NP(DT(the))(NN(cat)))");
    const auto mixed = tree_of("(NP the (NN cat) (ADJP (JJ old) very) sat)");
    CHECK(write(mixed) == "(NP the (NN cat) (ADJP (JJ old) very) sat)");
    CHECK(write(mixed, LeafStyle::kBracketed) == "(NP (the)(NN (cat))(ADJP (JJ (old))(very))(sat))");
}

TEST_CASE("The empty tree and a single leaf are written alike in both styles") {
    for (const auto style : {LeafStyle::kBare, LeafStyle::kBracketed, LeafStyle::kCompact}) {
        CHECK(write(TreeText(), style) == "()");
        CHECK(write(tree_of("(cat)"), style) == "(cat)");
    }
}

TEST_CASE("A tree is appended to what is there") {
    std::string out = "+1 |BT|";
    append_tree(out, tree_of("(A (B b))"));
    append_tree(out, tree_of("(C)"));
    CHECK(out == "+1 |BT|(A (B b))(C)");
}

TEST_CASE("Labels get the escapes they need and no others") {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"cat", "cat"},       {"-LRB-", "-LRB-"},     {"(", R"(\()"},    {"a)b", R"(a\)b)"},
        {"x y", R"(x\ y)"},   {R"(1\/2)", R"(1\/2)"}, {R"(\)", R"(\\)"}, {R"(a\)", R"(a\\)"},
        {R"(\\)", R"(\\\\)"}, {R"(\()", R"(\\\()"},
    };
    for (const auto& [label, text] : cases) {
        std::string out;
        append_label(out, label);
        CHECK(out == text);
    }
}

TEST_CASE("Labels that no text stands for are refused") {
    std::string out;
    CHECK_THROWS_AS(append_label(out, ""), treeline::base::Error);
    CHECK_THROWS_AS(append_label(out, "a\nb"), treeline::base::Error);
    CHECK_THROWS_AS(append_label(out, std::string_view("a\0b", 3)), treeline::base::Error);
    CHECK(out.empty());
}

TEST_CASE("Random trees with random labels survive writing and reading in both styles") {
    Random random(7);
    for (int round = 0; round < 2000; ++round) {
        RandomTreeOptions options;
        options.labels = {random_label(random), random_label(random)};
        options.words = {random_label(random), random_label(random)};
        const auto tree = random_tree(random, options);
        for (const auto style : {LeafStyle::kBare, LeafStyle::kBracketed, LeafStyle::kCompact}) {
            const std::string text = write(tree, style);
            CAPTURE(text);
            CHECK(text.find('\n') == std::string::npos);
            CHECK(shape_of(tree_of(text)) == shape_of(tree));
        }
    }
}
