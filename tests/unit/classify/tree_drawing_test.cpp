#include "classify/tree_drawing.hpp"

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
    drawing.colour(std::vector<std::uint32_t>{2, 3}, true);
    drawing.colour(std::vector<std::uint32_t>{1, 3, 4}, false);
    const std::string svg = drawing.svg();
    CHECK_THAT(svg, ContainsSubstring("&lt;b&gt;&amp;") && !ContainsSubstring("<b>"));
    CHECK_THAT(svg, ContainsSubstring("id=\"e7n3\" class=\"for\"") &&
                        ContainsSubstring("id=\"e7n4\" class=\"against\"") &&
                        ContainsSubstring("id=\"e7n6\" x="));
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
