/// The quadratic evaluator, the pairwise one and the rows agree, and give what was worked out by hand.

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/parallel.hpp"
#include "kernel/pairwise.hpp"
#include "kernel/quadratic.hpp"
#include "kernel/tree_rows.hpp"
#include "support/catch.hpp"
#include "support/gram.hpp"
#include "support/kernel_trees.hpp"

using namespace treeline;
using namespace treeline::kernel;
using Catch::Matchers::WithinRel;
using tree::NodeId;

namespace {

double pairwise(const tree::Forest& forest, NodeId x, NodeId y, const TreeKernel& kernel) {
    PairwiseEvaluator evaluator(forest, kernel);
    PairwiseTree prepared_x;
    PairwiseTree prepared_y;
    evaluator.prepare(x, prepared_x);
    evaluator.prepare(y, prepared_y);
    return evaluator.value(prepared_x, prepared_y);
}

/// Rows of some trees against some targets.
template <typename T>
std::vector<std::vector<T>> rows_of(const tree::Forest& forest, std::span<const NodeId> trees,
                                    std::span<const NodeId> targets, const TreeKernel& kernel,
                                    std::size_t block_targets = TreeRows<T>::kBlockTargets) {
    const auto norms = inverse_norms(self_kernels(forest, trees, kernel), kernel);
    const TreeRows<T> evaluator(forest, targets, inverse_norms(self_kernels(forest, targets, kernel), kernel),
                                kernel, block_targets);
    std::vector<std::vector<T>> rows(trees.size(), std::vector<T>(targets.size(), T{-1}));
    for (std::size_t i = 0; i < trees.size(); ++i) {
        evaluator.row(trees[i], norms[i], rows[i]);
    }
    return rows;
}

}  // namespace

TEST_CASE("Values worked out by hand") {
    struct Case {
        std::string_view kernel;
        std::string_view x;
        std::string_view y;
        double value;
    };
    // l = lambda, m = mu.
    const auto check = GENERATE(values<Case>({
        // Two pre-terminals l each; NP: l (1 + l)^2.
        {"sst(lambda=0.5)", "(NP (D a) (N cat))", "(NP (D a) (N cat))", 0.5 + 0.5 + 0.5 * 1.5 * 1.5},
        // D matches; NP: l (1 + l)(1 + 0).
        {"sst(lambda=0.5)", "(NP (D a) (N cat))", "(NP (D a) (N dog))", 0.5 + 0.5 * 1.5},
        {"sst-bow(lambda=0.5)", "(NP (D a) (N cat))", "(NP (D a) (N dog))", 0.5 + 0.5 * 1.5 + 0.5},
        // Whole subtrees only: NP is l (0 + l)(0 + 0).
        {"st(lambda=0.5)", "(NP (D a) (N cat))", "(NP (D a) (N dog))", 0.5},
        {"st(lambda=0.5)", "(NP (D a) (N cat))", "(NP (D a) (N cat))", 0.5 + 0.5 + 0.5 * 0.5 * 0.5},
        {"st-bow(lambda=0.5)", "(NP (D a) (N cat))", "(NP (D a) (N cat))", 0.5 + 0.5 + 0.125 + 2 * 0.5},
        // Equal words pair each with each.
        {"sst-bow(lambda=0.5)", "(A x x)", "(B x x x)", 6 * 0.5},
        // Leaf N and inner N under A are different productions.
        {"sst(lambda=0.5)", "(A N)", "(A (N x))", 0},
        {"sst(lambda=0.5)", "(A (B c) d)", "(A (B e) d)", 0.5},
        // Counts: four pairs of (N x), and S: l (1 + l)^2.
        {"sst(lambda=0.5)", "(S (N x) (N x))", "(S (N x) (N x))", 4 * 0.5 + 0.5 * 1.5 * 1.5},
        // One node m l^2.
        {"ptk(lambda=0.5,mu=0.4)", "(x)", "(x)", 0.4 * 0.25},
        {"uptk(lambda=0.5,mu=0.4)", "(x)", "(x)", 0},
        // Leaf and inner node of one label match: x m l^2; A m (l^2 + l^2 m l^2).
        {"ptk(lambda=0.5,mu=0.4)", "(A x)", "(A (x y))", 0.1 + 0.4 * (0.25 + 0.1)},
        {"uptk(lambda=0.5,mu=0.4)", "(A x)", "(A (x y))", 0.4 * 0.1},
        // a and c, one skipped in x: l (m l^2)^2, besides the two of length one, which p=1 leaves alone.
        {"ptk(lambda=0.5,mu=0.4)", "(A a b c)", "(A a c)",
         0.1 + 0.1 + 0.4 * (0.25 + 2 * 0.1 + 0.5 * 0.1 * 0.1)},
        {"ptk(lambda=0.5,mu=0.4,p=1)", "(A a b c)", "(A a c)", 0.1 + 0.1 + 0.4 * (0.25 + 2 * 0.1)},
        {"uptk(lambda=1,mu=1)", "(A a b c)", "(A a b c)", 7},
        {"uptk(lambda=1,mu=1,p=2)", "(A a b c)", "(A a b c)", 6},
        // Spans decay: one child weighs l^2; a and c, span 3 in x and 2 in y: l^(3+2) (m l^2)^2.
        {"ptk(lambda=0.5,mu=0.4,gaps=span)", "(A x)", "(A (x y))", 0.1 + 0.4 * (0.25 + 0.25 * 0.1)},
        {"uptk(lambda=0.5,mu=0.4,gaps=span)", "(A x)", "(A (x y))", 0.4 * 0.25 * 0.1},
        {"ptk(lambda=0.5,mu=0.4,gaps=span)", "(A a b c)", "(A a c)",
         0.1 + 0.1 + 0.4 * (0.25 + 2 * 0.25 * 0.1 + 0.03125 * 0.1 * 0.1)},
        // F m l^2 where either has no children; uptk counts it below other nodes only.
        {"ptk(lambda=0.5,mu=0.4,terminal=3)", "(A x)", "(A (x y))", 0.3 + 0.4 * (0.25 + 0.3)},
        {"uptk(lambda=0.5,mu=0.4,terminal=3)", "(A x)", "(A (x y))", 0.4 * 0.3},
        {"ptk(lambda=0.5,mu=0.4,terminal=3)", "(A (A x))", "(A)", 0.6},
        // As SVM-light-TK prints them.
        {"ptk(lambda=0.4,mu=0.4)", "(A (B b))", "(A (B b))", 0.25344},
        {"ptk(lambda=0.4,mu=0.4)", "(A (B b) (C c))", "(A (B b) (C c))", 0.4460912640},
        {"ptk(lambda=0.4,mu=0.4)", "(A (B b) (C c))", "(A (B b) (D d) (C c))", 0.4441645056},
    }));
    INFO(check.kernel << " " << check.x << " " << check.y);
    const TreeKernel kernel = std::get<TreeKernel>(parse_kernel(check.kernel).terms[0].factors[0]);
    tree::Forest forest;
    const std::vector<NodeId> roots{test::add_tree(forest, check.x), test::add_tree(forest, check.y)};
    const auto is = [&](double value) { return Catch::Matchers::WithinAbs(check.value, value); };
    CHECK_THAT(quadratic_kernel(test::tree_of(check.x), test::tree_of(check.y), kernel), is(1e-12));
    CHECK_THAT(quadratic_kernel(test::tree_of(check.y), test::tree_of(check.x), kernel), is(1e-12));
    CHECK_THAT(pairwise(forest, roots[0], roots[1], kernel), is(1e-12));
    TreeKernel plain = kernel;
    plain.normalize = false;
    CHECK_THAT(rows_of<double>(forest, roots, roots, plain)[0][1], is(1e-12));
    CHECK_THAT(rows_of<float>(forest, roots, roots, plain)[0][1], is(1e-6));
}

TEST_CASE("The evaluators agree on random trees") {
    auto kernels = test::tree_kernels();
    std::ranges::copy(test::terminal_kernels(), std::back_inserter(kernels));
    for (TreeKernel kernel : kernels) {
        kernel.normalize = false;
        INFO(to_string(BasicKernel(kernel)));
        const test::RandomForest trees(21, 60, {.most_nodes = 35, .most_children = 5});
        PairwiseEvaluator evaluator(trees.forest, kernel);
        std::vector<PairwiseTree> prepared(trees.roots.size());
        for (std::size_t i = 0; i < trees.roots.size(); ++i) {
            evaluator.prepare(trees.roots[i], prepared[i]);
        }
        const auto doubles = rows_of<double>(trees.forest, trees.roots, trees.roots, kernel);
        const auto floats = rows_of<float>(trees.forest, trees.roots, trees.roots, kernel);
        for (std::size_t i = 0; i < trees.roots.size(); ++i) {
            for (std::size_t j = 0; j < trees.roots.size(); ++j) {
                const double expected = quadratic_kernel(trees.texts[i], trees.texts[j], kernel);
                REQUIRE_THAT(evaluator.value(prepared[i], prepared[j]), WithinRel(expected, 1e-9));
                REQUIRE_THAT(doubles[i][j], WithinRel(expected, 1e-9));
                REQUIRE_THAT(floats[i][j], WithinRel(expected, 1e-5));
            }
        }
    }
}

TEST_CASE("Normalized values are K(x,y) over the root of K(x,x) K(y,y)") {
    const test::RandomForest trees(22, 40);
    for (const TreeKernel& kernel : test::tree_kernels()) {
        INFO(to_string(BasicKernel(kernel)));
        const auto rows = rows_of<double>(trees.forest, trees.roots, trees.roots, kernel);
        const auto self = self_kernels(trees.forest, trees.roots, kernel);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            // st, sst and uptk give a tree of one leaf no fragment at all.
            REQUIRE_THAT(rows[i][i], WithinRel(self[i] > 0 ? 1.0 : 0.0, 1e-12));
            for (std::size_t j = 0; j < rows.size(); ++j) {
                const double expected = self[i] > 0 && self[j] > 0
                                            ? quadratic_kernel(trees.texts[i], trees.texts[j], kernel) /
                                                  std::sqrt(self[i] * self[j])
                                            : 0;
                REQUIRE_THAT(rows[i][j], WithinRel(expected, 1e-9));
                REQUIRE(rows[i][j] <= 1 + 1e-12);
            }
        }
    }
}

TEST_CASE("Rows are the same bytes for any number of threads, and the same values for any blocks") {
    const test::RandomForest trees(23, 50, {.most_nodes = 40});
    for (const TreeKernel& kernel : test::tree_kernels()) {
        INFO(to_string(BasicKernel(kernel)));
        const auto whole = rows_of<double>(trees.forest, trees.roots, trees.roots, kernel);
        for (const std::size_t block_targets : {1, 7}) {
            std::vector<std::vector<double>> doubles;
            std::vector<std::vector<float>> floats;
            base::run_with_threads(1, [&] {
                doubles = rows_of<double>(trees.forest, trees.roots, trees.roots, kernel, block_targets);
                floats = rows_of<float>(trees.forest, trees.roots, trees.roots, kernel, block_targets);
            });
            base::run_with_threads(4, [&] {
                CHECK((rows_of<double>(trees.forest, trees.roots, trees.roots, kernel, block_targets) ==
                       doubles));
                CHECK((rows_of<float>(trees.forest, trees.roots, trees.roots, kernel, block_targets) ==
                       floats));
            });
            for (std::size_t i = 0; i < whole.size(); ++i) {
                for (std::size_t j = 0; j < whole.size(); ++j) {
                    REQUIRE_THAT(doubles[i][j], WithinRel(whole[i][j], 1e-12));
                    REQUIRE_THAT(floats[i][j], WithinRel(whole[i][j], 1e-5));
                }
            }
        }
    }
}

TEST_CASE("Rows keep to their targets while the forest grows") {
    test::RandomForest trees(24, 30);
    const TreeKernel kernel{.kind = TreeKernelKind::kSstBow};
    const std::vector<NodeId> targets = trees.roots;
    const auto norms = inverse_norms(self_kernels(trees.forest, targets, kernel), kernel);
    const TreeRows<double> rows(trees.forest, targets, norms, kernel);
    const auto other = test::tree_of("(S (NP a) (UNSEEN (NP a) word) (NP b))");
    const NodeId x = *trees.forest.add(other);
    std::vector<double> values(targets.size());
    rows.row(x, 1, values);
    for (std::size_t t = 0; t < targets.size(); ++t) {
        CHECK_THAT(values[t], WithinRel(quadratic_kernel(other, trees.texts[t], kernel) * norms[t], 1e-9));
    }
}

TEST_CASE("Gram matrices are symmetric and positive semi-definite") {
    const test::RandomForest trees(25, 60, {.most_nodes = 15});
    for (const TreeKernel& kernel : test::tree_kernels()) {
        INFO(to_string(BasicKernel(kernel)));
        const auto gram = rows_of<double>(trees.forest, trees.roots, trees.roots, kernel);
        CHECK(test::asymmetry(gram) < 1e-12);
        CHECK(test::smallest_pivot(gram, 1e-9) > 0);
    }
}
