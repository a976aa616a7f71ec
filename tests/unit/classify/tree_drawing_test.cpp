#include "classify/tree_drawing.hpp"

#include <cmath>

#include "classify/markup.hpp"
#include "fragment/fragment.hpp"
#include "support/catch.hpp"
#include "tree/bracket_reader.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<classify::DrawnNode> drawn(std::string_view text) {
    std::vector<classify::DrawnNode> nodes;
    tree::BracketReader reader;
    for (std::size_t offset = 0; offset < text.size();) {
        tree::TreeText tree;
        offset = reader.read(text, offset, tree);
        append_drawn(nodes, tree);
    }
    return nodes;
}

}  // namespace

TEST_CASE("The drawing has every label, safe to put on a page") {
    classify::TreeDrawing drawing(drawn("(S (X <b>&) (Y y)) (T t)"), "e7n");
    // Post-order: <b>& 0, X 1, y 2, Y 3, S 4, t 5, T 6.
    drawing.tint(std::vector<std::uint32_t>{2, 3}, 2);
    drawing.tint(std::vector<std::uint32_t>{1, 3, 4}, -1);
    const std::string svg = drawing.svg();
    CHECK_THAT(svg, ContainsSubstring("&lt;b&gt;&amp;") && !ContainsSubstring("<b>"));
    CHECK_THAT(svg, ContainsSubstring("id=\"e7n2\" class=\"for\" fill-opacity=\"0.50\"") &&
                        ContainsSubstring("id=\"e7n3\" class=\"for\" fill-opacity=\"0.29\"") &&
                        ContainsSubstring("id=\"e7n4\" class=\"against\"") &&
                        ContainsSubstring("id=\"e7n6\" x="));
    CHECK(drawing.strengths() == std::vector<double>{0, -0.5, 1, 0.5, -0.5, 0, 0});
}

TEST_CASE("No two labels of a drawing overlap, and none sticks out, whatever their length") {
    const std::string long_label(10000, 'x');
    for (const std::string& text :
         {std::string("(S (NP (D the) (N cat)) (VP (V saw) (NP (D a) (N mouse))))"),
          "(" + long_label + " (A a) (B b))", "(S (" + long_label + " x) (B y (C z)) w)",
          std::string("(S (A (AVERYLONGLABELINDEED (B b)) (C c)) (D d)) (T (U u) v)")}) {
        const auto nodes = drawn(text);
        const classify::TreeLayout layout(nodes);
        for (std::size_t a = 0; a < nodes.size(); ++a) {
            CHECK(layout[a].x - layout[a].width / 2 >= 0);
            CHECK(layout[a].x + layout[a].width / 2 <= layout.width());
            CHECK(layout[a].y < layout.height());
            CHECK(layout[a].width <= 1000);
            for (std::size_t b = 0; b < a; ++b) {
                const double apart =
                    std::abs(layout[a].x - layout[b].x) - (layout[a].width + layout[b].width) / 2;
                CHECK((layout[a].depth != layout[b].depth || apart > 5));
            }
        }
    }
}

TEST_CASE("Subtrees without a tint become roofs over their words; ids stay") {
    classify::TreeDrawing drawing(drawn("(S (NP (D the) (N cat)) (VP (V saw) (NP (D a) (N mouse))) (. .))"),
                                  "n");
    // the 0, D 1, cat 2, N 3, NP 4, saw 5, V 6, a 7, D 8, mouse 9, N 10, NP 11, VP 12, . 13, . 14, S 15
    drawing.tint(std::vector<std::uint32_t>{5, 6}, 1);
    const classify::TreeDrawing roofed = drawing.roofed("r");
    std::string order;
    for (const auto& node : roofed.nodes()) {
        order += node.label + std::to_string(node.children) + "|";
    }
    CHECK(order == "the cat0|NP1|saw0|V1|a mouse0|NP1|VP2|.0|.1|S3|");
    CHECK_THAT(roofed.svg(), ContainsSubstring("id=\"r6\" class=\"for\"") && ContainsSubstring("<polygon") &&
                                 !ContainsSubstring("id=\"r3\""));
    CHECK(roofed.width() < drawing.width());
}

TEST_CASE("A file of a drawing has its colours in it") {
    const std::string file = classify::TreeDrawing(drawn("(S (A a))")).file();
    CHECK_THAT(file,
               ContainsSubstring("fill: #") && !ContainsSubstring("var(") && ContainsSubstring("xmlns="));
}

TEST_CASE("Numbers are shown with the digits that carry meaning") {
    CHECK(classify::shown_number(0.0123456) == "0.0123");
    CHECK(classify::shown_number(12.3456, true) == "+12.3");
    CHECK(classify::shown_number(-1234.56) == "−1235");
    CHECK(classify::shown_number(1.2e-7) == "1.2e-07");
    CHECK(classify::shown_number(0) == "0");
    CHECK(classify::shown_count(1234567) == "1,234,567");
    CHECK(classify::fixed_number(-0.00001, 3) == "0.000");
    CHECK(classify::shortened("äöüß", 3) == "äö…");
    CHECK(classify::shortened("äöü", 3) == "äöü");
}

TEST_CASE("A fragment is drawn as the tree of its nodes, open nodes and words told apart") {
    tree::SymbolTable symbols;
    const auto fragment = fragment::parse_fragment("(S (NP (D the) (N)) (VP (V)))", symbols);
    std::vector<classify::DrawnNode> nodes;
    append_drawn(nodes, fragment, symbols);
    std::string order;
    for (const auto& node : nodes) {
        order += node.label + std::to_string(node.children) + " ";
    }
    CHECK(order == "the0 D1 N0 NP2 V0 VP1 S2 ");
    CHECK(nodes[0].kind == classify::DrawnNode::Kind::kLeaf);
    CHECK(nodes[2].kind == classify::DrawnNode::Kind::kOpen);
    CHECK(nodes[6].kind == classify::DrawnNode::Kind::kInner);
    const std::string body = classify::TreeDrawing(nodes).body();
    CHECK_THAT(body, ContainsSubstring("<text class=\"open\"") && !ContainsSubstring("<rect"));
}
