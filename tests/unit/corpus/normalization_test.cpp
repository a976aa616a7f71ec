#include "corpus/normalization.hpp"

#include "support/catch.hpp"
#include "support/random_trees.hpp"
#include "tree/bracket_writer.hpp"

using namespace treeline;
using corpus::Normalization;

namespace {

std::string normalized(const std::string& text, const Normalization& normalization) {
    auto tree = test::tree_of(text);
    corpus::Normalizer(normalization).apply(tree);
    std::string out;
    tree::append_tree(out, tree);
    return out;
}

}  // namespace

TEST_CASE("function tags are taken off labels, not off words and bracket tags") {
    const Normalization functions{.strip_functions = true};
    CHECK(normalized("(S (NP-SBJ-1 (NNP X-1)) (VP=2 (-LRB- -LRB-) (PRP$ her)))", functions) ==
          "(S (NP (NNP X-1)) (VP (-LRB- -LRB-) (PRP$ her)))");
}

TEST_CASE("traces go with the nodes that held nothing else") {
    const Normalization traces{.strip_traces = true};
    CHECK(normalized("(S (NP-SBJ (-NONE- *)) (VP (VB go) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))))", traces) ==
          "(S (VP (VB go)))");
    CHECK(normalized("(S (NP (-NONE- *)))", traces) == "()");
    auto tree = test::tree_of("(S (NP (-NONE- *)) (VP (VB go) (-NONE- *T*)) (RB on))");
    corpus::Normalizer normalizer(traces);
    normalizer.apply(tree);
    CHECK(normalizer.kept_words() == std::vector<bool>{false, true, false, true});
}

TEST_CASE("words are lowered or dropped") {
    CHECK(normalized("(S (NNP Ökonom) (NNP ЖИЗНЬ) (NN X))", {.lower_words = true}) ==
          "(S (NNP ökonom) (NNP жизнь) (NN x))");
    CHECK(normalized("(S (NP (DT The) (NN cat)) (VP (VB runs)))", {.drop_words = true}) ==
          "(S (NP DT NN) (VP VB))");
    CHECK(corpus::to_lower("A\xff"
                           "B\xc3") ==
          "a\xff"
          "b\xc3");
    for (const char* overlong :
         {"\xc0\xa8", "\xc0\x80", "\xe0\x80\xa9", "\xf0\x80\x80\xa8", "\xf7\xbf\xbf\xbf"}) {
        CHECK(corpus::to_lower(overlong) == overlong);
    }
}

TEST_CASE("unary chains of phrases become one node") {
    const std::string text = "(S (VP (NP (NN a))) (X (Y (Z (NN b) (NN c)))))";
    CHECK(normalized(text, {.unary = Normalization::Unary::kJoin}) ==
          "(S (VP+NP (NN a)) (X+Y+Z (NN b) (NN c)))");
    CHECK(normalized(text, {.unary = Normalization::Unary::kTop}) == "(S (VP (NN a)) (X (NN b) (NN c)))");
    CHECK(normalized(text, {.unary = Normalization::Unary::kBottom}) == "(S (NP (NN a)) (Z (NN b) (NN c)))");
    CHECK(normalized(text, {}) == text);
}

TEST_CASE("long chains are joined in time and memory that follow their length") {
    constexpr std::size_t kDepth = 200'000;
    std::string text;
    for (std::size_t i = 0; i < kDepth; ++i) {
        text += "(A ";
    }
    text += "(N b)" + std::string(kDepth, ')');
    const auto joined = normalized(text, {.unary = Normalization::Unary::kJoin});
    CHECK(joined.size() == 2 * kDepth - 1 + std::string("( (N b))").size());
    CHECK(joined.starts_with("(A+A+A+"));
    CHECK(joined.ends_with("+A (N b))"));
}

TEST_CASE("a chain that remains when traces are taken out is one, too") {
    CHECK(normalized("(S (NP (-NONE- *)) (VP (TO to) (VP (VB go))))",
                     {.strip_traces = true, .unary = Normalization::Unary::kJoin}) ==
          "(S+VP (TO to) (VP (VB go)))");
}

TEST_CASE("brackets in words are escaped and back") {
    const std::string text = R"((S (-LRB- \() (NN :\)) (NN [x{) (NN a)))";
    const std::string escaped = "(S (-LRB- -LRB-) (NN :-RRB-) (NN -LSB-x-LCB-) (NN a))";
    CHECK(normalized(text, {.brackets = Normalization::Brackets::kEscape}) == escaped);
    CHECK(normalized(escaped, {.brackets = Normalization::Brackets::kUnescape}) == text);
}

TEST_CASE("without anything to do trees stay as they are") {
    base::Random random(9);
    const test::RandomTreeOptions options;
    corpus::Normalizer normalizer{Normalization{}};
    for (int i = 0; i < 200; ++i) {
        auto tree = test::random_tree(random, options);
        const auto shape = test::shape_of(tree);
        normalizer.apply(tree);
        CHECK(test::shape_of(tree) == shape);
    }
}
