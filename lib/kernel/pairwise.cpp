#include "kernel/pairwise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "base/data_error.hpp"
#include "base/memory.hpp"
#include "kernel/subsequences.hpp"

namespace treeline::kernel {

using tree::Forest;
using tree::NodeId;

PairwiseEvaluator::PairwiseEvaluator(const Forest& forest, const TreeKernel& kernel)
    : forest_(&forest), kernel_(kernel), leaves_(kernel.family().leaves()) {}

void PairwiseEvaluator::prepare(NodeId root, PairwiseTree& out) const {
    forest_->decompose(root, leaves_, out.nodes);
    const KernelFamily& family = kernel_.family();
    const std::size_t size = out.nodes.nodes.size();
    out.keys.resize(size);
    out.sorted.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
        const NodeId node = out.nodes.nodes[i];
        out.keys[i] = family.key(*forest_, node);
        out.sorted[i] = {out.keys[i], static_cast<std::uint32_t>(i)};
    }
    std::ranges::sort(out.sorted, {}, [](const auto& k) { return std::tie(k.key, k.node); });
    out.position.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
        out.position[out.sorted[i].node] = static_cast<std::uint32_t>(i);
    }
}

void PairwiseEvaluator::merge(const PairwiseTree& x, const PairwiseTree& y) {
    matches_.assign(x.sorted.size(), {});
    std::size_t i = 0;
    std::size_t j = 0;
    std::size_t pairs = 0;
    while (i < x.sorted.size() && j < y.sorted.size()) {
        const std::uint32_t key = x.sorted[i].key;
        if (key < y.sorted[j].key) {
            ++i;
        } else if (key > y.sorted[j].key) {
            ++j;
        } else {
            const auto begin = static_cast<std::uint32_t>(j);
            while (j < y.sorted.size() && y.sorted[j].key == key) {
                ++j;
            }
            for (; i < x.sorted.size() && x.sorted[i].key == key; ++i) {
                matches_[x.sorted[i].node] = {begin, static_cast<std::uint32_t>(j), pairs};
                pairs += j - begin;
            }
        }
    }
    if (deltas_.size() < pairs) {
        if (const std::uint64_t bytes = pairs * sizeof(double); bytes > base::machine_memory()) {
            throw base::DataError(fmt::format(
                "two trees of {} and {} distinct nodes have {} pairs of nodes that match, whose values need {} of memory; leave such "
                "trees out",
                x.sorted.size(), y.sorted.size(), pairs, base::format_size(bytes)));
        }
        deltas_.resize(pairs);
    }
}

double PairwiseEvaluator::value(const PairwiseTree& x, const PairwiseTree& y) {
    merge(x, y);
    const bool by_label = kernel_.family().matches_by_label();
    const bool terminals_out = kernel_.leaves_terminals_out();
    const double single = kernel_.counted_single_node();
    const auto is_bottom = [](const PairwiseTree& tree, std::size_t i) {
        return tree.nodes.children_begin[i] == tree.nodes.children_begin[i + 1];
    };
    double sum = 0;
    for (std::size_t a = 0; a < matches_.size(); ++a) {
        double row = 0;
        double* deltas = deltas_.data() + matches_[a].deltas;
        for (std::uint32_t k = matches_[a].begin; k < matches_[a].end; ++k, ++deltas) {
            const std::uint32_t b = y.sorted[k].node;
            *deltas = by_label ? label_delta(x, a, y, b) : production_delta(x, a, y, b);
            if (!terminals_out || !(is_bottom(x, a) || is_bottom(y, b))) {
                row += (*deltas + single) * y.nodes.counts[b];
            }
        }
        sum += row * x.nodes.counts[a];
    }
    return sum;
}

double require_finite(double value, const TreeKernel& kernel) {
    if (!std::isfinite(value)) {
        throw base::DataError("a tree is too large for " + to_string(describe(kernel)) +
                              "; use a smaller lambda");
    }
    return value;
}

double PairwiseEvaluator::self_value(NodeId root) {
    prepare(root, self_);
    return value(self_, self_);
}

double PairwiseEvaluator::production_delta(const PairwiseTree& x, std::size_t a, const PairwiseTree& y,
                                           std::size_t b) const {
    const double sigma = kernel_.family().sigma();
    double product = kernel_.lambda;
    std::size_t j = y.nodes.children_begin[b];
    for (std::size_t i = x.nodes.children_begin[a]; i < x.nodes.children_begin[a + 1]; ++i, ++j) {
        const std::uint32_t c = x.nodes.children[i];
        const std::uint32_t d = y.nodes.children[j];
        // A leaf child is part of the production itself and contributes the factor 1.
        if (leaves_ == Forest::Leaves::kWith && forest_->is_leaf(x.nodes.nodes[c])) {
            continue;
        }
        product *= sigma + (x.keys[c] == y.keys[d] ? delta(c, y, d) : 0);
    }
    return product;
}

double PairwiseEvaluator::label_delta(const PairwiseTree& x, std::size_t a, const PairwiseTree& y,
                                      std::size_t b) {
    const std::size_t x_count = x.nodes.children_begin[a + 1] - x.nodes.children_begin[a];
    const std::size_t y_count = y.nodes.children_begin[b + 1] - y.nodes.children_begin[b];
    if (x_count == 0 || y_count == 0) {
        return kernel_.terminal_excess();
    }
    const std::uint32_t* x_children = x.nodes.children.data() + x.nodes.children_begin[a];
    const std::uint32_t* y_children = y.nodes.children.data() + y.nodes.children_begin[b];
    const double single = kernel_.single_node();
    const double below = subsequence_sum(
        x_count, y_count, SubsequenceRule(kernel_),
        [&](std::size_t i, std::size_t j) {
            return x.keys[x_children[i]] == y.keys[y_children[j]]
                       ? single + delta(x_children[i], y, y_children[j])
                       : 0;
        },
        decayed_);
    return kernel_.mu * below;
}

}  // namespace treeline::kernel
