/// K(a, b) = sum_f phi_f(a) phi_f(b), with the fragments enumerated.

#include "kernel/pairwise.hpp"
#include "kernel/quadratic.hpp"
#include "support/catch.hpp"
#include "support/fragment_features.hpp"
#include "support/kernel_trees.hpp"

using namespace treeline;
using namespace treeline::kernel;
using Catch::Matchers::WithinRel;

TEST_CASE("Every tree kernel is the scalar product of its enumerated fragments") {
    for (const TreeKernel& kernel : test::tree_kernels()) {
        INFO(to_string(BasicKernel(kernel)));
        const std::size_t most_nodes = kernel.is_partial() ? 8 : 14;
        const test::RandomForest trees(kernel.is_partial() ? 11 : 12, 300, {.most_nodes = most_nodes});
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
