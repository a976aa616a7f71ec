#include "kernel/weighted_forest.hpp"

#include <cmath>

#include "kernel/quadratic.hpp"
#include "support/catch.hpp"
#include "support/kernel_trees.hpp"

using namespace treeline;
using namespace treeline::kernel;
using tree::NodeId;

TEST_CASE("The value of a weighted forest is the sum of coefficients times kernels") {
    const test::RandomForest trees(71, 60, {.most_nodes = 20});
    const auto roots = trees.distinct_roots();
    base::Random random(72);
    std::vector<double> coefficients(roots.size());
    for (double& coefficient : coefficients) {
        coefficient = random.normal();
    }
    auto kernels = test::tree_kernels();
    std::ranges::copy(test::terminal_kernels(), std::back_inserter(kernels));
    for (const TreeKernel& kernel : kernels) {
        INFO(to_string(BasicKernel(kernel)));
        const WeightedForest weighted(trees.forest, roots, coefficients, kernel);
        WeightedForest::Evaluator evaluator(weighted);
        for (std::size_t i = 0; i < trees.roots.size(); ++i) {
            double expected = 0;
            double magnitude = 0;
            for (std::size_t j = 0; j < roots.size(); ++j) {
                const double value = quadratic_kernel(trees.texts[i], trees.forest.text(roots[j]), kernel);
                expected += coefficients[j] * value;
                magnitude += std::abs(coefficients[j]) * value;
            }
            const double value = evaluator.value(trees.roots[i]);
            REQUIRE(std::abs(value - expected) <= 1e-12 * magnitude);
            // The values do not depend on what the evaluator has kept.
            REQUIRE(WeightedForest::Evaluator(weighted).value(trees.roots[i]) == value);
            REQUIRE(evaluator.value(trees.roots[i]) == value);
        }
    }
}

TEST_CASE("Evaluators that have to forget give the same values") {
    // Labels so few and trees so many that the rows kept exceed any room.
    const test::RandomForest trees(73, 3000, {.most_nodes = 60, .labels = {"A", "B"}, .words = {"x", "y"}});
    const auto roots = trees.distinct_roots();
    const std::vector<double> coefficients(roots.size(), 1);
    const TreeKernel kernel{.kind = TreeKernelKind::kSst, .lambda = 0.1};
    const WeightedForest weighted(trees.forest, roots, coefficients, kernel);
    WeightedForest::Evaluator kept(weighted);
    for (std::size_t i = 0; i < 300; ++i) {
        const double value = kept.value(roots[i]);
        if (i % 10 == 0) {
            REQUIRE(WeightedForest::Evaluator(weighted).value(roots[i]) == value);
        }
    }
}

TEST_CASE("Weights are sums over the trees' occurrences") {
    tree::Forest forest;
    const std::vector<NodeId> roots{test::add_tree(forest, "(S (N x) (N x))"), example::kEmptyTree,
                                    test::add_tree(forest, "(N x)"), test::add_tree(forest, "(x)")};
    const std::vector<double> coefficients{2, 5, 3, 7};
    const WeightedForest weighted(forest, roots, coefficients, {.kind = TreeKernelKind::kSstBow});
    REQUIRE(weighted.node_count() == 3);
    const auto weight_of = [&](std::string_view text) {
        const auto nodes = weighted.index().nodes_by_rank();
        const auto rank = std::ranges::find(nodes, test::add_tree(forest, text)) - nodes.begin();
        return weighted.weights()[static_cast<std::size_t>(rank)];
    };
    CHECK(weight_of("(S (N x) (N x))") == 2);
    CHECK(weight_of("(N x)") == 2 * 2 + 3);
    CHECK(weight_of("(x)") == 2 * 2 + 3 + 7);
}
