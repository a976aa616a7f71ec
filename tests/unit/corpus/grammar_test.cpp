#include "corpus/grammar.hpp"

#include <map>
#include <set>

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/random_trees.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using corpus::Grammar;
using corpus::read_grammar;

namespace {

std::string draw(const Grammar& grammar, std::uint64_t seed) {
    base::Random random(seed);
    std::string text;
    grammar.append_tree(text, grammar.draw_class(random).kind, random);
    return text;
}

Grammar grammar_of(const std::string& text) {
    const test::TemporaryFolder folder;
    return read_grammar(folder.file("g", text));
}

std::string problem_of(const std::string& text) {
    try {
        (void)grammar_of(text);
    } catch (const base::InputError& error) {
        return std::to_string(error.place().line) + ":" + std::to_string(error.place().column) + ": " +
               error.problem();
    }
    return "none";
}

}  // namespace

TEST_CASE("choices follow their weights") {
    const std::vector<double> weights{1, 0.5, 6, 2.5};
    const corpus::WeightedChoice choice(weights);
    base::Random random(7);
    std::vector<double> counts(weights.size());
    constexpr int kDraws = 200'000;
    for (int i = 0; i < kDraws; ++i) {
        ++counts[choice.draw(random)];
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
        CHECK(counts[i] / kDraws == Approx(weights[i] / 10).margin(0.005));
    }
}

TEST_CASE("a grammar without choice has one tree") {
    const auto grammar = grammar_of(
        "class yes S/start  # the only class\n"
        "S/start -> NP/a 'and' VP\n"
        "NP/a -> NP/b\n"  // a state, not a node
        "NP/b -> DT 'cat'\n"
        "DT -> \"the\"\n"
        "VP -> '(runs)'\n");
    CHECK(draw(grammar, 1) == R"((S (NP (DT the) cat) and (VP \(runs\))))");
    CHECK(grammar.classes()[0].label == "yes");
}

TEST_CASE("alternatives may be spread over lines, and continue") {
    const auto grammar = grammar_of("class x S\nS -> 'a' | 'b'\n\n  | 'c'\nS -> 'd'");
    std::set<std::string> trees;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        trees.insert(draw(grammar, seed));
    }
    CHECK(trees == std::set<std::string>{"(S a)", "(S b)", "(S c)", "(S d)"});
}

TEST_CASE("trees that would never end are cut at the node limit by their shortest productions") {
    const auto grammar = grammar_of("class x S\nnodes 50\nS -> S S S [100] | S 'a' | T [0.001]\nT -> 'x'");
    const std::string text = draw(grammar, 3);
    const auto nodes = test::tree_of(text).nodes.size();
    CHECK(nodes >= 50);
    CHECK(nodes < 50 * 3 * 3);
}

TEST_CASE("noise changes labels, not trees") {
    const auto count_of = [](const char* noise) {
        const auto grammar =
            grammar_of(std::string("class a [3] A\nclass b B\nA -> 'x'\nB -> 'y'\nnoise ") + noise);
        base::Random random(11);
        int other = 0;
        for (int i = 0; i < 40'000; ++i) {
            const auto [kind, label] = grammar.draw_class(random);
            other += kind != label ? 1 : 0;
        }
        return other / 40'000.0;
    };
    CHECK(count_of("0") == 0);
    // Drawn again: 3/4 * 1/4 + 1/4 * 3/4 of them change.
    CHECK(count_of("0.2") == Approx(0.2 * 0.375).margin(0.005));
}

TEST_CASE("mistakes in a grammar are named with their place") {
    CHECK(problem_of("") == "0:0: no class; expected a line such as 'class +1 [3] S'");
    CHECK(problem_of("class x S\n") ==
          "1:9: no production for the symbol 'S'; add one, or put a word in quotes");
    CHECK(problem_of("class x S\nS -> A 'b'\nA -> S A\n") ==
          "1:9: the symbol 'S' never ends; expected a production without it");
    CHECK(problem_of("class x S\nS -> 'a' [0]\n") == "2:10: found '[0]'; expected a weight above 0");
    CHECK(problem_of("class x S\nS -> 'a\n") == "2:6: found ''a'; expected a closing '");
    CHECK(problem_of("class x S\nS -> 'a' |\n") ==
          "2:11: the line ends; expected a symbol or a word in quotes");
    CHECK(problem_of("class x S\nS 'a'\n") == "2:3: found ''a''; expected '->' after a symbol");
    CHECK(problem_of("| 'a'\n") == "1:1: found '|'; expected a production before it");
    CHECK(problem_of("noise 2\n") == "1:7: found '2'; expected a number from 0 to 1");
    CHECK(problem_of("class x S ]\n") ==
          "1:11: found ']'; expected a symbol, a word in quotes or a weight in []");
    CHECK(problem_of(std::string("class x S\nS -> '\0'", 18)) == "2:7: NUL byte; expected text");
}

TEST_CASE("the project's own grammar gives well-formed trees of both classes") {
    const auto grammar = read_grammar(test::project_file("data/questions.grammar"));
    base::Random random(5);
    std::map<std::string, int> labels;
    for (int i = 0; i < 500; ++i) {
        std::string text;
        const auto [kind, label] = grammar.draw_class(random);
        grammar.append_tree(text, kind, random);
        CHECK(test::tree_of(text).nodes.back().label == "SBARQ");
        ++labels[grammar.classes()[label].label];
    }
    CHECK(labels["+1"] > 100);
    CHECK(labels["-1"] > 300);
}
