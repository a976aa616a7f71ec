#include "classify/tree_drawing.hpp"

#include "support/catch.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("Nodes of a fragment's occurrences are found, leaves told from open nodes") {
    const classify::TreeDrawing drawing("(S (NP (D the) (N cat)) (VP (V saw) (NP (D the) (N dog))))", "n");
    // Post-order: the 0, D 1, cat 2, N 3, NP 4, saw 5, V 6, the 7, D 8, dog 9, N 10, NP 11, VP 12, S 13.
    CHECK(drawing.nodes_of("(NP (D) (N))") == "n1 n3 n4 n8 n10 n11");
    CHECK(drawing.nodes_of("(NP (D the) (N cat))") == "n0 n1 n2 n3 n4");
    CHECK(drawing.nodes_of("(NP (D))").empty());
    CHECK(drawing.nodes_of("(D (the))").empty());
    CHECK(drawing.nodes_of("dog") == "n9");
    CHECK(drawing.nodes_of("feature 3").empty());
}

TEST_CASE("The drawing has every label, safe to put on a page") {
    classify::TreeDrawing drawing("(S (X <b>&) (Y y)) (T t)", "e7n");
    drawing.colour("(Y y)", true);
    drawing.colour("(S (X) (Y))", false);
    const std::string svg = drawing.svg();
    CHECK_THAT(svg, ContainsSubstring("&lt;b&gt;&amp;") && ContainsSubstring("class=\"for\"") &&
                        ContainsSubstring("class=\"against\"") && ContainsSubstring("id=\"e7n0\""));
    CHECK_THAT(svg, !ContainsSubstring("<b>"));
}
