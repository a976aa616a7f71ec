/// Trees that are empty, a single leaf, very deep or very wide, and values beyond what numbers hold.

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "kernel/example_kernel.hpp"
#include "kernel/example_rows.hpp"
#include "kernel/pairwise.hpp"
#include "kernel/tree_rows.hpp"
#include "kernel/weighted_forest.hpp"
#include "support/catch.hpp"
#include "support/kernel_trees.hpp"

using namespace treeline;
using namespace treeline::kernel;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;
using tree::NodeId;

namespace {

/// A chain of `levels` nodes labelled 0, 1, 2 ... from the leaf upwards, in the forest at hand.
NodeId add_chain(tree::Forest& forest, std::size_t levels) {
    NodeId node = forest.add_node(forest.symbols().intern("0"), {});
    for (std::size_t i = 1; i < levels; ++i) {
        node = forest.add_node(forest.symbols().intern(std::to_string(i)), {&node, 1});
    }
    return node;
}

/// `width` pre-terminals labelled 0, 1, 2 ... under one root.
NodeId add_fan(tree::Forest& forest, std::size_t width, bool leaves) {
    const NodeId word = forest.add_node(forest.symbols().intern("word"), {});
    std::vector<NodeId> children;
    for (std::size_t i = 0; i < width; ++i) {
        const auto label = forest.symbols().intern(std::to_string(i));
        children.push_back(leaves ? forest.add_node(label, {}) : forest.add_node(label, {&word, 1}));
    }
    return forest.add_node(forest.symbols().intern("root"), children);
}

/// K(x, x) by every evaluator but the quadratic one; all must agree.
double agreed_self_value(const tree::Forest& forest, NodeId x, TreeKernel kernel) {
    kernel.normalize = false;
    const double value = self_kernels(forest, {&x, 1}, kernel)[0];
    const double one = 1;
    double as_double = 0;
    float as_float = 0;
    TreeRows<double>(forest, {&x, 1}, {&one, 1}, kernel).row(x, 1, {&as_double, 1});
    TreeRows<float>(forest, {&x, 1}, {&one, 1}, kernel).row(x, 1, {&as_float, 1});
    CHECK_THAT(as_double, WithinRel(value, 1e-9));
    CHECK_THAT(as_float, WithinRel(value, 1e-5));
    const WeightedForest weighted(forest, {&x, 1}, {&one, 1}, kernel);
    CHECK_THAT(WeightedForest::Evaluator(weighted).value(x), WithinRel(value, 1e-9));
    return value;
}

}  // namespace

TEST_CASE("A tree of a million levels") {
    constexpr std::size_t kLevels = 1'000'000;
    tree::Forest forest;
    const NodeId root = add_chain(forest, kLevels);
    // From the bottom up D goes to the fixed point of D = l (1 + D); only the lowest few differ.
    double d = 0;
    double sum = 0;
    for (std::size_t i = 1; i < kLevels; ++i) {
        d = 0.4 * (1 + d);
        sum += d;
    }
    CHECK_THAT(agreed_self_value(forest, root, {.kind = TreeKernelKind::kSst}), WithinRel(sum, 1e-9));
    d = 0;
    sum = 0;
    for (std::size_t i = 0; i < kLevels; ++i) {
        d = 0.4 * (0.16 + d);
        sum += d;
    }
    CHECK_THAT(agreed_self_value(forest, root, {.kind = TreeKernelKind::kPtk}), WithinRel(sum, 1e-9));
}

TEST_CASE("A node with a hundred thousand children") {
    constexpr std::size_t kWidth = 100'000;
    tree::Forest forest;
    const NodeId flat = add_fan(forest, kWidth, true);
    CHECK(agreed_self_value(forest, flat, {.kind = TreeKernelKind::kSst}) == 0.4);
    CHECK_THAT(agreed_self_value(forest, flat, {.kind = TreeKernelKind::kSstBow}),
               WithinRel(0.4 + 0.4 * static_cast<double>(kWidth), 1e-9));
    // l (1 + l)^n would be too large; with a tiny lambda it is about l e.
    const NodeId bushy = add_fan(forest, kWidth, false);
    const TreeKernel tiny{.kind = TreeKernelKind::kSst, .lambda = 1e-5};
    CHECK_THAT(agreed_self_value(forest, bushy, tiny),
               WithinRel(1e-5 * (kWidth + std::pow(1 + 1e-5, kWidth)), 1e-9));
    CHECK_THROWS_AS(self_kernels(forest, {&bushy, 1}, {.kind = TreeKernelKind::kSst}), base::Error);
}

TEST_CASE("Partial kernels of wide nodes") {
    // Comparing all pairs of children is quadratic in the width, so two wide trees are wide by less.
    constexpr std::size_t kWidth = 3'000;
    tree::Forest forest;
    const NodeId root = add_fan(forest, kWidth, true);
    // One match per column: G(i) = d (1 + H(i-1)), H(i) = l^2 H(i-1) + G(i).
    const double d = 0.4 * 0.16;
    double h = 0;
    double below = 0;
    for (std::size_t i = 0; i < kWidth; ++i) {
        const double g = d * (1 + h);
        below += g;
        h = 0.16 * h + g;
    }
    CHECK_THAT(agreed_self_value(forest, root, {.kind = TreeKernelKind::kPtk}),
               WithinRel(static_cast<double>(kWidth) * d + 0.4 * (0.16 + below), 1e-9));

    const std::vector<NodeId> roots{add_fan(forest, 100'000, true), test::add_tree(forest, "(root 5 99998)")};
    const TreeKernel kernel{.kind = TreeKernelKind::kPtk, .normalize = false};
    const std::vector<double> ones{1, 1};
    std::vector<double> values(2);
    TreeRows<double>(forest, roots, ones, kernel).row(roots[1], 1, values);
    CHECK_THAT(values[0], WithinRel(2 * d + 0.4 * (0.16 + 2 * d), 1e-9));
}

TEST_CASE("Empty trees and single leaves") {
    tree::Forest forest;
    const std::vector<NodeId> roots{example::kEmptyTree, test::add_tree(forest, "(x)"),
                                    test::add_tree(forest, "(A x)")};
    for (const TreeKernel& kernel : test::tree_kernels()) {
        INFO(to_string(BasicKernel(kernel)));
        const bool leaf_counts = kernel.family().leaves_stand_alone() || kernel.kind == TreeKernelKind::kPtk;
        const auto self = self_kernels(forest, roots, kernel);
        CHECK(self[0] == 0);
        CHECK((self[1] > 0) == leaf_counts);
        CHECK(self[2] > 0);
        const auto norms = inverse_norms(self, kernel);
        CHECK(norms[0] == 0);
        const TreeRows<float> rows(forest, roots, norms, kernel);
        std::vector<float> values(3);
        rows.row(example::kEmptyTree, 0, values);
        CHECK(values == std::vector<float>{0, 0, 0});
        rows.row(roots[1], norms[1], values);
        CHECK(values[0] == 0);
        CHECK(values[1] == Approx(leaf_counts ? 1 : 0));
        CHECK((values[2] > 0) == leaf_counts);
        rows.row(roots[2], norms[2], values);
        CHECK(values[0] == 0);
        CHECK((values[1] > 0) == leaf_counts);
        CHECK(values[2] == Approx(1));
        const WeightedForest weighted(forest, roots, std::vector<double>{1, 1, 1}, kernel);
        WeightedForest::Evaluator evaluator(weighted);
        CHECK(evaluator.value(example::kEmptyTree) == 0);
        CHECK((evaluator.value(roots[1]) > 0) == leaf_counts);
    }
}

TEST_CASE("No target at all") {
    tree::Forest forest;
    const NodeId x = test::add_tree(forest, "(A b)");
    TreeRows<double>(forest, {}, {}, {}).row(x, 1, {});
    const WeightedForest nothing(forest, {}, {}, {});
    CHECK(WeightedForest::Evaluator(nothing).value(x) == 0);
}

TEST_CASE("Values too large for the numbers are errors, not infinities") {
    example::ExampleSet set;
    tree::Forest forest;
    example::Example example;
    example.label = "+1";
    const auto add = [&](std::size_t width) {
        std::string text = "(S";
        for (std::size_t i = 0; i < width; ++i) {
            text += " (N" + std::to_string(i) + " w)";
        }
        text += ")";
        example.clear();
        example.add_tree() = test::tree_of(text);
        set.add(example, forest);
    };
    add(1100);  // K is about 2^1100
    const auto description = parse_kernel("sst(lambda=1)");
    const std::vector<std::uint32_t> first{0};
    CHECK_THROWS_WITH(ExampleRows<double>(description, forest, set, first),
                      ContainsSubstring("use a smaller lambda"));
    CHECK_THROWS_WITH(ExampleKernel(description, forest).self_value(set, 0),
                      ContainsSubstring("use a smaller lambda"));

    add(200);  // about 2^200: fits a double, but not a float
    const std::vector<std::uint32_t> second{1};
    std::vector<double> value(1);
    ExampleRows<double>(description, forest, set, second).row(set, 1, value);
    CHECK(value[0] == Approx(1));
    CHECK(ExampleKernel(description, forest).self_value(set, 1) == Approx(1));
    std::vector<float> rounded(1);
    ExampleRows<float>(description, forest, set, second).row(set, 1, rounded);
    CHECK(rounded[0] == Approx(1));
    const auto plain = parse_kernel("sst(lambda=1,norm=none)");
    const ExampleRows<float> too_small(plain, forest, set, second);
    CHECK_THROWS_WITH(too_small.row(set, 1, rounded), ContainsSubstring("use a smaller lambda"));
}
