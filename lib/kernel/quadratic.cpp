#include "kernel/quadratic.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernel/subsequences.hpp"

namespace treeline::kernel {
namespace {

using tree::TreeText;

/// Post-order positions of the children of every node.
std::vector<std::vector<std::size_t>> children_of(const TreeText& tree) {
    std::vector<std::vector<std::size_t>> children(tree.nodes.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const auto first = open.end() - static_cast<std::ptrdiff_t>(tree.nodes[i].children);
        children[i].assign(first, open.end());
        open.erase(first, open.end());
        open.push_back(i);
    }
    return children;
}

}  // namespace

double quadratic_kernel(const TreeText& x, const TreeText& y, const TreeKernel& kernel) {
    const auto x_children = children_of(x);
    const auto y_children = children_of(y);
    const auto is_leaf = [](const TreeText& tree, std::size_t i) { return tree.nodes[i].children == 0; };
    const auto same_production = [&](std::size_t a, std::size_t b) {
        return x.nodes[a].label == y.nodes[b].label &&
               std::ranges::equal(x_children[a], y_children[b], [&](std::size_t i, std::size_t j) {
                   return x.nodes[i].label == y.nodes[j].label && is_leaf(x, i) == is_leaf(y, j);
               });
    };
    const KernelFamily& family = kernel.family();
    const double sigma = family.sigma();
    const double lambda = kernel.lambda;
    std::vector<double> deltas(x.nodes.size() * y.nodes.size());
    const auto delta = [&](std::size_t a, std::size_t b) -> double& {
        return deltas[a * y.nodes.size() + b];
    };
    double sum = 0;
    for (std::size_t a = 0; a < x.nodes.size(); ++a) {
        for (std::size_t b = 0; b < y.nodes.size(); ++b) {
            if (family.matches_by_label()) {
                if (x.nodes[a].label != y.nodes[b].label) {
                    continue;
                }
                const double below = subsequence_sum(
                    x_children[a].size(), y_children[b].size(), SubsequenceRule(kernel),
                    [&](std::size_t i, std::size_t j) { return delta(x_children[a][i], y_children[b][j]); });
                const double factor = is_leaf(x, a) || is_leaf(y, b) ? kernel.terminal : 1;
                delta(a, b) = kernel.mu * (factor * lambda * lambda + below);
                sum += family.lone == LoneNodes::kAll ? delta(a, b) : kernel.mu * below;
            } else if (is_leaf(x, a) || is_leaf(y, b)) {
                if (family.leaves_stand_alone() && is_leaf(x, a) && is_leaf(y, b) &&
                    x.nodes[a].label == y.nodes[b].label) {
                    sum += lambda;
                }
            } else if (same_production(a, b)) {
                double product = lambda;
                for (std::size_t i = 0; i < x_children[a].size(); ++i) {
                    if (!is_leaf(x, x_children[a][i])) {
                        product *= sigma + delta(x_children[a][i], y_children[b][i]);
                    }
                }
                delta(a, b) = product;
                sum += product;
            }
        }
    }
    return sum;
}

}  // namespace treeline::kernel
