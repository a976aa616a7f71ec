#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "example/example_set.hpp"
#include "kernel/description.hpp"
#include "support/random_trees.hpp"
#include "tree/forest.hpp"

namespace treeline::test {

/// The six tree kernels, each with several decays; partial ones with each of their other parameters, but for terminal
/// factors, which are no scalar products where a label is that of leaves and of inner nodes.
[[nodiscard]] inline std::vector<kernel::TreeKernel> tree_kernels() {
    using kernel::TreeKernel;
    using kernel::TreeKernelKind;
    std::vector<TreeKernel> kernels;
    for (const double lambda : {0.1, 0.4, 1.0}) {
        for (const auto kind :
             {TreeKernelKind::kSt, TreeKernelKind::kSst, TreeKernelKind::kStBow, TreeKernelKind::kSstBow}) {
            kernels.push_back({.kind = kind, .lambda = lambda});
        }
        for (const double mu : {0.3, 1.0}) {
            for (const auto kind : {TreeKernelKind::kPtk, TreeKernelKind::kUptk}) {
                kernels.push_back({.kind = kind, .lambda = lambda, .mu = mu});
            }
        }
        kernels.push_back({.kind = TreeKernelKind::kPtk, .lambda = lambda, .longest = 2});
        kernels.push_back({.kind = TreeKernelKind::kUptk, .lambda = lambda, .longest = 1});
        kernels.push_back({.kind = TreeKernelKind::kPtk, .lambda = lambda, .gaps = kernel::GapRule::kSpan});
        kernels.push_back(
            {.kind = TreeKernelKind::kUptk, .lambda = lambda, .longest = 3, .gaps = kernel::GapRule::kSpan});
    }
    return kernels;
}

/// Partial kernels with terminal factors.
[[nodiscard]] inline std::vector<kernel::TreeKernel> terminal_kernels() {
    using kernel::TreeKernelKind;
    return {{.kind = TreeKernelKind::kPtk, .terminal = 5},
            {.kind = TreeKernelKind::kUptk, .lambda = 0.7, .mu = 0.9, .terminal = 3},
            {.kind = TreeKernelKind::kPtk, .lambda = 0.3, .longest = 2, .terminal = 0.2},
            {.kind = TreeKernelKind::kUptk, .terminal = 0.5, .gaps = kernel::GapRule::kSpan}};
}

/// Random trees as text and in a forest; trees may repeat.
struct RandomForest {
    RandomTreeOptions options;
    std::vector<tree::TreeText> texts;
    tree::Forest forest;
    std::vector<tree::NodeId> roots;

    RandomForest(std::uint64_t seed, std::size_t count, RandomTreeOptions tree_options = {})
        : options(std::move(tree_options)) {
        base::Random random(seed);
        for (std::size_t i = 0; i < count; ++i) {
            texts.push_back(random_tree(random, options));
            roots.push_back(*forest.add(texts.back()));
        }
    }
    RandomForest(const RandomForest&) = delete;
    RandomForest& operator=(const RandomForest&) = delete;

    [[nodiscard]] std::vector<tree::NodeId> distinct_roots() const {
        auto distinct = roots;
        std::ranges::sort(distinct);
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        return distinct;
    }
};

/// Adds the tree of a text to a forest.
inline tree::NodeId add_tree(tree::Forest& forest, std::string_view text) {
    return forest.add(tree_of(text)).value_or(example::kEmptyTree);
}

}  // namespace treeline::test
