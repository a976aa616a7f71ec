#include "corpus/sentence_tree.hpp"

#include "support/catch.hpp"
#include "support/random_trees.hpp"
#include "tree/bracket_writer.hpp"

using namespace treeline;
using corpus::SentenceTree;

TEST_CASE("nodes come in pre-order with their words and their text") {
    SentenceTree tree;
    tree.assign(test::tree_of("(S (NP (DT the) (NN cat)) (VP (VB runs)))"));
    REQUIRE(tree.nodes().size() == 6);
    REQUIRE(tree.words() == 3);
    std::string labels;
    for (const auto& node : tree.nodes()) {
        labels.append(tree.label(node)).append(node.is_pos ? "* " : " ");
    }
    CHECK(labels == "S NP DT* NN* VP VB* ");
    const auto& phrase = tree.node(1);
    CHECK((phrase.parent == 0 && phrase.end == 4 && phrase.first_word == 0 && phrase.last_word == 2));
    CHECK(tree.rest(phrase) == " (DT the) (NN cat))");
    CHECK(tree.node_over(2) == 5);
    CHECK(tree.node(0).parent == SentenceTree::kNone);
}

TEST_CASE("words may stand beside nodes, or alone") {
    SentenceTree tree;
    tree.assign(test::tree_of("(X a (Y b) c)"));
    CHECK(tree.words() == 3);
    CHECK(tree.node_over(2) == 0);
    CHECK_FALSE(tree.node(0).is_pos);
    tree.assign(test::tree_of("(word)"));
    CHECK(tree.words() == 1);
    CHECK(tree.node_over(0) == SentenceTree::kNone);
    tree.assign(test::tree_of("()"));
    CHECK(tree.words() == 0);
}

TEST_CASE("the text is that of the writer, for any tree") {
    base::Random random(3);
    const test::RandomTreeOptions options;
    SentenceTree sentence;
    for (int i = 0; i < 300; ++i) {
        const auto tree = test::random_tree(random, options);
        if (tree.nodes.size() == 1) {
            continue;
        }
        sentence.assign(tree);
        std::string text;
        tree::append_tree(text, tree);
        CHECK(sentence.text() == text);
        for (const auto& node : sentence.nodes()) {
            const auto part = text.substr(node.text_begin, node.text_end - node.text_begin);
            CHECK(test::tree_of(part).nodes.back().label == sentence.label(node));
            CHECK(node.first_word < node.last_word);
        }
    }
}
