/// K(a, b) = sum_f phi_f(a) phi_f(b), with the fragments enumerated.

#include <algorithm>
#include <cmath>
#include <iterator>

#include "kernel/pairwise.hpp"
#include "kernel/quadratic.hpp"
#include "support/catch.hpp"
#include "support/fragment_features.hpp"
#include "support/kernel_trees.hpp"

using namespace treeline;
using namespace treeline::kernel;
using Catch::Matchers::WithinRel;

TEST_CASE("Every tree kernel is the scalar product of its enumerated fragments") {
    auto kernels = test::tree_kernels();
    std::ranges::copy(test::terminal_kernels(), std::back_inserter(kernels));
    for (const TreeKernel& kernel : kernels) {
        INFO(to_string(BasicKernel(kernel)));
        test::RandomTreeOptions shape{.most_nodes = kernel.family().matches_by_label() ? 8U : 14U};
        if (kernel.terminal != 1) {
            shape.words = {"a", "b"};  // no label of inner nodes
        }
        const test::RandomForest trees(kernel.family().matches_by_label() ? 11 : 12, 300, shape);
        std::vector<test::FragmentFeatures> features;
        for (const auto& text : trees.texts) {
            features.push_back(test::fragment_features(text, kernel));
        }
        PairwiseEvaluator evaluator(trees.forest, kernel);
        PairwiseTree x;
        PairwiseTree y;
        std::size_t positive = 0;
        for (std::size_t i = 0; i < trees.texts.size(); ++i) {
            evaluator.prepare(trees.roots[i], x);
            for (const std::size_t j : {i, (i + 1) % trees.texts.size(), (i + 7) % trees.texts.size()}) {
                evaluator.prepare(trees.roots[j], y);
                const double expected = test::dot(features[i], features[j]);
                REQUIRE_THAT(quadratic_kernel(trees.texts[i], trees.texts[j], kernel),
                             WithinRel(expected, 1e-10));
                REQUIRE_THAT(evaluator.value(x, y), WithinRel(expected, 1e-10));
                positive += expected > 0 && i != j ? 1 : 0;
            }
        }
        CHECK(positive > 40);
    }
}

TEST_CASE("No feature map has a terminal factor where a leaf meets an inner node of its label") {
    const TreeKernel kernel{.kind = TreeKernelKind::kPtk, .terminal = 5};
    tree::Forest forest;
    PairwiseEvaluator evaluator(forest, kernel);
    PairwiseTree leaf;
    PairwiseTree inner;
    // Both trees have x, and so that nothing else matches, y stands in one of them only.
    evaluator.prepare(test::add_tree(forest, "(x)"), leaf);
    evaluator.prepare(test::add_tree(forest, "(x y)"), inner);
    const double single = kernel.single_node();
    CHECK_THAT(evaluator.value(leaf, leaf), WithinRel(5 * single, 1e-12));
    CHECK_THAT(evaluator.value(leaf, inner), WithinRel(5 * single, 1e-12));
    const double y = 5 * single;
    CHECK_THAT(evaluator.value(inner, inner), WithinRel(single + kernel.mu * y + y, 1e-12));
    const std::vector<test::FragmentFeatures> features{
        test::fragment_features(test::tree_of("(x)"), kernel),
        test::fragment_features(test::tree_of("(x y)"), kernel)};
    CHECK_THAT(test::dot(features[0], features[0]), WithinRel(5 * single, 1e-12));
    CHECK_THAT(test::dot(features[0], features[1]), WithinRel(std::sqrt(5.0) * single, 1e-12));
}

TEST_CASE("Fragments of a small tree are enumerated one by one") {
    const auto tree = test::tree_of("(S (NP we) (VP (V eat) now))");
    const auto names = [&](TreeKernelKind kind) {
        std::vector<std::string> texts;
        for (const auto& [text, weight] : test::fragment_features(tree, {.kind = kind})) {
            texts.push_back(text);
        }
        return texts;
    };
    CHECK(names(TreeKernelKind::kSt) ==
          std::vector<std::string>{"(NP we)", "(S (NP we) (VP (V eat) now))", "(V eat)", "(VP (V eat) now)"});
    CHECK(names(TreeKernelKind::kSst).size() == 10);  // NP, V, VP twice, and S with 2 x 3 choices
    CHECK(names(TreeKernelKind::kSstBow).size() == 13);
    // Partial fragments rooted at a node: the product over its children of 1 + those rooted there.
    CHECK(names(TreeKernelKind::kPtk).size() == 3 + 2 + 2 + 3 * 2 + 3 * 7);
    CHECK(names(TreeKernelKind::kUptk).size() == 3 + 2 + 2 + 3 * 2 + 3 * 7 - 7);
}
