#include "fragment/fragment.hpp"

#include "base/syntax_error.hpp"
#include "fragment/weight.hpp"
#include "support/catch.hpp"

using namespace treeline;
using namespace treeline::fragment;

TEST_CASE("Fragments are written and read back") {
    tree::SymbolTable symbols;
    const std::string text =
        GENERATE(as<std::string>{}, "(NP (DT the) (NN))", "(NN)", "word", "(A a (B) b (C (D d)))",
                 R"((-LRB- \())", R"((A \(x\) a\ b \\\\ 1\/2))", "(S (NP (DT) (NN)) (VP))");
    const Fragment fragment = parse_fragment(text, symbols);
    CHECK(to_text(fragment, symbols) == text);
    CHECK(parse_fragment(to_text(fragment, symbols), symbols) == fragment);
}

TEST_CASE("A leaf and an open node of the same label are different") {
    tree::SymbolTable symbols;
    CHECK(parse_fragment("(A NN)", symbols) != parse_fragment("(A (NN))", symbols));
}

TEST_CASE("Shapes") {
    tree::SymbolTable symbols;
    const auto shape = [&](const char* text) { return measure(parse_fragment(text, symbols)); };
    CHECK(shape("word") == Shape{1, 0, 0, 1});
    CHECK(shape("(NN)") == Shape{1, 0, 0, 0});
    CHECK(shape("(NP (DT) (NN))") == Shape{3, 1, 1, 0});
    CHECK(shape("(NP (DT the) (NN))") == Shape{4, 2, 2, 1});
    CHECK(shape("(S (NP (DT a)) (VP))") == Shape{5, 3, 3, 1});
}

TEST_CASE("What is no fragment is refused with its place") {
    struct Case {
        const char* text;
        std::size_t offset;
    };
    const Case bad = GENERATE(values<Case>({{"", 0},
                                            {"(", 1},
                                            {"()", 1},
                                            {"(A", 2},
                                            {"(A))", 3},
                                            {"a b", 2},
                                            {")", 0},
                                            {"(A (", 4},
                                            {"(A ())", 4},
                                            {"   ", 3}}));
    tree::SymbolTable symbols;
    CAPTURE(bad.text);
    try {
        (void)parse_fragment(bad.text, symbols);
        FAIL("accepted");
    } catch (const base::SyntaxError& error) {
        CHECK(error.offset() == bad.offset);
    }
    CHECK_THROWS_AS(parse_fragment(std::string_view("(A \0)", 5), symbols), base::SyntaxError);
}

TEST_CASE("Deep fragments do not recurse") {
    tree::SymbolTable symbols;
    std::string text;
    for (int i = 0; i < 200000; ++i) {
        text += i == 0 ? "(A" : " (A";
    }
    text.append(200000, ')');
    const Fragment fragment = parse_fragment(text, symbols);
    CHECK(measure(fragment).depth == 199999);
    CHECK(to_text(fragment, symbols) == text);
}

TEST_CASE("Values of one occurrence") {
    tree::SymbolTable symbols;
    kernel::TreeKernel sst;
    const Fragment fragment = parse_fragment("(S (NP (DT a)) (VP))", symbols);
    CHECK(occurrence_value(fragment, sst, WeightScheme::kExact) == Approx(std::pow(0.4, 1.5)));
    CHECK(occurrence_value(fragment, sst, WeightScheme::kDepth) == Approx(std::pow(0.4, 3)));
    sst.kind = kernel::TreeKernelKind::kSstBow;
    CHECK(occurrence_value(parse_fragment("a", symbols), sst, WeightScheme::kExact) ==
          Approx(std::sqrt(0.4)));
    kernel::TreeKernel ptk;
    ptk.kind = kernel::TreeKernelKind::kPtk;
    ptk.mu = 0.5;
    // S over two children, one of which has a child: four nodes, two of them without children.
    const Fragment partial = parse_fragment("(S (NP (DT)) (VP))", symbols);
    CHECK(occurrence_value(partial, ptk, WeightScheme::kExact) ==
          Approx(std::pow(0.5, 2) * std::pow(0.4, 2)));
    // Spans: lambda^2 below S and lambda below NP besides.
    ptk.gaps = kernel::GapRule::kSpan;
    CHECK(occurrence_value(partial, ptk, WeightScheme::kExact) ==
          Approx(std::pow(0.5, 2) * std::pow(0.4, 5)));
}
