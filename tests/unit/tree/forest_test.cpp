#include "tree/forest.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "support/catch.hpp"
#include "support/random_trees.hpp"
#include "tree/bracket_writer.hpp"

using namespace treeline::tree;
using namespace treeline::test;
using treeline::base::Random;

namespace {

NodeId add(Forest& forest, std::string_view text) { return forest.add(tree_of(text)).value(); }

std::string write(const TreeText& tree) {
    std::string out;
    append_tree(out, tree);
    return out;
}

/// Texts of all subtrees, one for each occurrence, in post-order.
std::vector<std::string> subtrees(const TreeText& tree) {
    std::vector<std::string> texts;
    std::vector<std::string> open;
    for (const auto& node : tree.nodes) {
        std::string text = "(" + std::string(node.label);
        for (std::size_t i = open.size() - node.children; i < open.size(); ++i) {
            text += " " + open[i];
        }
        text += ")";
        open.resize(open.size() - node.children);
        open.push_back(text);
        texts.push_back(text);
    }
    return texts;
}

std::string show(const Forest& forest, ProductionId production) {
    std::string text(forest.symbols().text(forest.production_label(production)));
    for (const auto& [label, leaf] : forest.production_children(production)) {
        text += leaf ? " '" : " ";
        text += forest.symbols().text(label);
    }
    return text;
}

}  // namespace

TEST_CASE("Equal subtrees share one node, whatever the style of their leaves") {
    Forest forest;
    const auto root = add(forest, "(S (NP (N a)) (NP (N (a))))");
    CHECK(forest.size() == 4);
    CHECK(forest.children(root)[0] == forest.children(root)[1]);
    CHECK(add(forest, "(NP (N a))") == forest.children(root)[0]);
    CHECK(add(forest, "(S (NP(N (a)))(NP (N a)))") == root);
    CHECK(forest.size() == 4);
    CHECK_FALSE(forest.add(TreeText()).has_value());
}

TEST_CASE("Leaves, nodes of one label and orders of children are told apart") {
    Forest forest;
    CHECK(add(forest, "(A)") != add(forest, "(A A)"));
    CHECK(add(forest, "(A a b)") != add(forest, "(A b a)"));
    CHECK(add(forest, "(A (B b) b)") != add(forest, "(A B b)"));
    CHECK(add(forest, "(A (B b c))") != add(forest, "(A (B b) c)"));
    CHECK(forest.is_leaf(add(forest, "(A)")));
    CHECK_FALSE(forest.is_leaf(add(forest, "(A A)")));
}

TEST_CASE("A production has the label and the children's labels, leaf and inner children told apart") {
    Forest forest;
    const auto one = add(forest, "(S (N a) b)");
    const auto two = add(forest, "(S (N (N c)) b)");
    CHECK(one != two);
    CHECK(forest.production(one) == forest.production(two));
    CHECK(show(forest, forest.production(one)) == "S N 'b");
    CHECK(forest.production(one) != forest.production(add(forest, "(S N b)")));
    CHECK(show(forest, forest.production(add(forest, "(S N b)"))) == "S 'N 'b");
    CHECK(show(forest, forest.production(add(forest, "(a)"))) == "a");
    CHECK(forest.production(add(forest, "(a)")) != forest.production(add(forest, "(b)")));

    const auto symbol = [&](const char* text) { return forest.symbols().find(text).value(); };
    const std::vector<Forest::ProductionChild> children{{symbol("N"), false}, {symbol("b"), true}};
    CHECK(forest.find_production(symbol("S"), children) == forest.production(one));
    CHECK_FALSE(forest.find_production(symbol("N"), children).has_value());
    CHECK_FALSE(Forest().find_production(symbol("S"), children).has_value());
}

TEST_CASE("A pre-terminal has children and all of them are leaves") {
    Forest forest;
    CHECK(forest.is_preterminal(add(forest, "(N a)")));
    CHECK(forest.is_preterminal(add(forest, "(N a b)")));
    CHECK_FALSE(forest.is_preterminal(add(forest, "(N a (M b))")));
    CHECK_FALSE(forest.is_preterminal(add(forest, "(a)")));
}

TEST_CASE("The forest of random trees holds exactly their distinct subtrees, children before parents") {
    Random random(11);
    const RandomTreeOptions options;
    Forest forest;
    std::map<std::string, NodeId> expected;
    std::set<std::string> productions;
    for (int round = 0; round < 500; ++round) {
        const auto tree = random_tree(random, options);
        const auto root = forest.add(tree).value();
        const auto texts = subtrees(tree);
        const auto known = expected.emplace(texts.back(), root);
        CHECK(known.first->second == root);
        for (const auto& text : texts) {
            const auto node = add(forest, text);
            CHECK(expected.emplace(text, node).first->second == node);
        }
        CHECK(forest.size() == expected.size());
        CHECK(shape_of(forest.text(root)) == shape_of(tree));
    }
    for (std::uint32_t id = 0; id < forest.size(); ++id) {
        for (const auto child : forest.children(NodeId{id})) {
            CHECK(raw(child) < id);
        }
        const auto production = forest.production(NodeId{id});
        CHECK(forest.production_label(production) == forest.label(NodeId{id}));
        const auto children = forest.children(NodeId{id});
        const auto expected_children = forest.production_children(production);
        REQUIRE(children.size() == expected_children.size());
        for (std::size_t i = 0; i < children.size(); ++i) {
            CHECK(expected_children[i].label == forest.label(children[i]));
            CHECK(expected_children[i].leaf == forest.is_leaf(children[i]));
        }
        productions.insert(show(forest, production));
    }
    CHECK(forest.production_count() == productions.size());
    CHECK(forest.bytes() > 0);
}

TEST_CASE("A decomposed tree lists its distinct nodes with their counts and children") {
    Random random(12);
    const RandomTreeOptions options;
    Forest forest;
    TreeNodes nodes;
    for (int round = 0; round < 500; ++round) {
        const auto tree = random_tree(random, options);
        const auto root = forest.add(tree).value();
        for (const auto leaves : {Forest::Leaves::kWith, Forest::Leaves::kWithout}) {
            const bool with = leaves == Forest::Leaves::kWith;
            std::map<NodeId, std::uint32_t> expected;
            for (const auto& text : subtrees(tree)) {
                const auto node = add(forest, text);
                if (with || !forest.is_leaf(node)) {
                    ++expected[node];
                }
            }
            forest.decompose(root, leaves, nodes);
            REQUIRE(nodes.nodes.size() == expected.size());
            REQUIRE(nodes.counts.size() == expected.size());
            REQUIRE(nodes.children_begin.size() == expected.size() + 1);
            std::size_t at = 0;
            for (const auto& [node, count] : expected) {
                CHECK(nodes.nodes[at] == node);
                CHECK(nodes.counts[at] == count);
                std::vector<NodeId> children;
                std::ranges::copy_if(forest.children(node), std::back_inserter(children),
                                     [&](NodeId child) { return with || !forest.is_leaf(child); });
                std::vector<NodeId> found;
                for (std::size_t i = nodes.children_begin[at]; i < nodes.children_begin[at + 1]; ++i) {
                    CHECK(nodes.children[i] < at);
                    found.push_back(nodes.nodes[nodes.children[i]]);
                }
                CHECK(found == children);
                ++at;
            }
            if (!nodes.nodes.empty()) {
                CHECK(nodes.nodes.back() == root);
            }
        }
    }
}

TEST_CASE("A node can be put together from nodes of the forest") {
    Forest forest;
    const auto a = forest.add_node(forest.symbols().intern("a"), {});
    const std::vector<NodeId> children{a, a};
    const auto root = forest.add_node(forest.symbols().intern("S"), children);
    CHECK(root == add(forest, "(S a a)"));
    CHECK(write(forest.text(root)) == "(S a a)");
}

TEST_CASE("A tree 1,000,000 levels deep loads and is written back") {
    constexpr std::size_t kDepth = 1'000'000;
    std::string text;
    for (std::size_t i = 0; i < kDepth; ++i) {
        text += "(A ";
    }
    text += "a" + std::string(kDepth, ')');
    Forest forest;
    const auto root = add(forest, text);
    CHECK(forest.size() == kDepth + 1);
    CHECK((write(forest.text(root)) == text));
    TreeNodes nodes;
    forest.decompose(root, Forest::Leaves::kWith, nodes);
    CHECK(nodes.nodes.size() == kDepth + 1);
    CHECK(std::ranges::count(nodes.counts, 1U) == kDepth + 1);
    CHECK_THROWS_AS(tree_of(text.substr(0, text.size() - 1)), SyntaxError);
}

TEST_CASE("A node with 1,000,000 children loads and is written back") {
    constexpr std::size_t kChildren = 1'000'000;
    std::string text = "(A";
    for (std::size_t i = 0; i < kChildren; ++i) {
        text += " (B x" + std::to_string(i % 1000) + ")";
    }
    text += ")";
    Forest forest;
    const auto root = add(forest, text);
    CHECK(forest.size() == 2001);
    CHECK(forest.children(root).size() == kChildren);
    CHECK((write(forest.text(root)) == text));
    TreeNodes nodes;
    forest.decompose(root, Forest::Leaves::kWithout, nodes);
    CHECK(nodes.nodes.size() == 1001);
    CHECK(nodes.counts.front() == 1000);
    CHECK(nodes.children.size() == kChildren);
}
