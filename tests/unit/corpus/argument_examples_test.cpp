#include "corpus/argument_examples.hpp"

#include "support/catch.hpp"
#include "support/random_trees.hpp"

using namespace treeline;
using corpus::ArgumentExample;
using corpus::ArgumentOptions;
using corpus::ArgumentStructure;

namespace {

using Lines = std::vector<std::string>;

/// `+` for arguments, `-` for others, the role if there is one, and the tree.
Lines examples_of(const char* text, const corpus::Proposition& proposition,
                  const ArgumentOptions& options = {}) {
    corpus::SentenceTree tree;
    tree.assign(test::tree_of(text));
    Lines lines;
    corpus::ArgumentExamples examples(options);
    examples.make(tree, proposition, [&](const ArgumentExample& example) {
        lines.push_back(std::string(example.is_argument ? "+" : "-") + std::string(example.role) + " " +
                        std::string(example.tree));
    });
    return lines;
}

const char* const kSentence = "(S (NP (PRP I)) (VP (VB see) (NP (DT the) (NN cat))))";
const corpus::Proposition kSee{
    1, "see.01", {{"ARG0", 0, 1}, {"V", 1, 2}, {"ARG1", 2, 4}, {"ARGM-LOC", 3, 4}}};

}  // namespace

TEST_CASE("marked argument spanning trees of every candidate, in pre-order") {
    CHECK(examples_of(kSentence, kSee) ==
          Lines{"+A0 (S (NP-B (PRP I)) (VP (VB-P see)))", "- (S (NP (PRP-B I)) (VP (VB-P see)))",
                "+A1 (VP (VB-P see) (NP-B (DT the) (NN cat)))", "- (VP (VB-P see) (NP (DT-B the)))",
                "+ (VP (VB-P see) (NP (NN-B cat)))"});
}

TEST_CASE("without marks, and in the whole sentence") {
    ArgumentOptions options;
    options.structure = ArgumentStructure::kAst1;
    const auto plain = examples_of(kSentence, kSee, options);
    CHECK(plain[1] == "- (S (NP (PRP I)) (VP (VB see)))");
    options.structure = ArgumentStructure::kSentence;
    const auto whole = examples_of(kSentence, kSee, options);
    CHECK(whole[0] == "+A0 (S (NP-B (PRP I)) (VP (VB-P see) (NP (DT the) (NN cat))))");
    CHECK(whole[3] == "- (S (NP (PRP I)) (VP (VB-P see) (NP (DT-B the) (NN cat))))");
}

TEST_CASE("every phrase of a unary chain is an argument, its part of speech only without one") {
    const auto lines = examples_of("(S (S (VP (VBG going))) (VB helps) (RB much))",
                                   {1, "help.01", {{"ARG1", 0, 1}, {"ARG2", 2, 3}}});
    CHECK(lines == Lines{"+A1 (S (S-B (VP (VBG going))) (VB-P helps))",
                         "+A1 (S (S (VP-B (VBG going))) (VB-P helps))",
                         "- (S (S (VP (VBG-B going))) (VB-P helps))", "+A2 (S (VB-P helps) (RB-B much))"});
}

TEST_CASE("predicates are chosen by part of speech and roleset") {
    corpus::SentenceTree tree;
    tree.assign(test::tree_of(kSentence));
    const corpus::ArgumentExamples verbs{ArgumentOptions{}};
    CHECK(verbs.wants(tree, {1, "see.01", {}}));
    CHECK_FALSE(verbs.wants(tree, {3, "cat.01", {}}));
    CHECK_FALSE(verbs.wants(tree, {1, "be.03", {}}));
    CHECK_FALSE(verbs.wants(tree, {1, "have.02", {}}));
    CHECK(verbs.wants(tree, {1, "have.03", {}}));
    ArgumentOptions nouns;
    nouns.predicates = {"JJ", "NN"};
    CHECK(corpus::ArgumentExamples(nouns).wants(tree, {3, "cat.01", {}}));
    tree.assign(test::tree_of("(word)"));
    CHECK_FALSE(verbs.wants(tree, {0, "word.01", {}}));
}

TEST_CASE("pruning keeps sisters along the path, children of PPs, and no coordinated sisters") {
    ArgumentOptions options;
    options.prune = true;
    const auto labels = [&](const char* text, std::uint32_t word) {
        std::string found;
        for (const auto& line : examples_of(text, {word, "x.01", {}}, options)) {
            const std::size_t end = line.find("-B");
            found += line.substr(line.rfind('(', end) + 1, end - line.rfind('(', end) - 1) + " ";
        }
        return found;
    };
    CHECK(labels("(S (NP (DT a) (NN b)) (VP (VB c) (PP (IN d) (NP (NN e)))) (. f))", 2) == "NP PP IN NP . ");
    CHECK(labels("(S (NP (NN a)) (VP (VP (VB b) (NP (NN c))) (CC d) (VP (VB e) (ADVP (RB f)))))", 1) ==
          "NP NP CC ");
    CHECK(labels("(S (NP (NN a)) (VP (VBD b) (CC c) (VBZ d) (NP (NN e))))", 1) == "NP CC NP ");
}

TEST_CASE("a predicate that stands beside nodes has no candidates below its own node") {
    CHECK(examples_of("(S (X go (Y on)) (Z now))", {0, "go.01", {{"ARG1", 2, 3}}}) ==
          Lines{"+A1 (S (X-P go (Y on)) (Z-B now))"});
}
