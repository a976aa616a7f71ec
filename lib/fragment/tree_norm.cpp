#include "fragment/tree_norm.hpp"

#include <cmath>
#include <unordered_map>

#include "base/data_error.hpp"
#include "kernel/pairwise.hpp"

namespace treeline::fragment {

using tree::NodeId;

namespace {

constexpr std::uint32_t kNone = 0xffffffffU;
constexpr std::size_t kMostPairs = std::size_t{1} << 27;

}  // namespace

double TreeNorm::self_kernel(std::span<const NodeId> nodes) {
    const double value =
        kernel_.family().matches_by_label() ? partial_kernel(nodes) : production_kernel(nodes);
    if (!std::isfinite(value)) {
        throw base::DataError("the kernel of a tree with itself is too large for " +
                              kernel::to_string(kernel::BasicKernel(kernel_)) + "; use a smaller lambda");
    }
    return value;
}

void TreeNorm::clear() {
    self_.clear();
    position_.clear();
    last_.clear();
}

std::size_t TreeNorm::bytes() const {
    return self_.capacity() * sizeof(double) +
           (position_.capacity() + last_.capacity()) * sizeof(std::uint32_t) +
           deltas_.capacity() * sizeof(double);
}

double TreeNorm::production_kernel(std::span<const NodeId> nodes) {
    const kernel::KernelFamily& family = kernel_.family();
    const double sigma = family.sigma();
    for (std::size_t node = self_.size(); node < forest_->size(); ++node) {
        double product = kernel_.lambda;
        for (const NodeId child : forest_->children(NodeId{static_cast<std::uint32_t>(node)})) {
            product *= forest_->is_leaf(child) ? 1 : sigma + self_[raw(child)];
        }
        self_.push_back(product);
    }
    position_.resize(forest_->size(), kNone);
    last_.resize(forest_->production_count(), kNone);

    distinct_.clear();
    counts_.clear();
    for (const NodeId node : nodes) {
        if (!family.takes_part(*forest_, node)) {
            continue;
        }
        std::uint32_t& position = position_[raw(node)];
        if (position == kNone) {
            position = static_cast<std::uint32_t>(distinct_.size());
            distinct_.push_back(node);
            counts_.push_back(1);
        } else {
            ++counts_[position];
        }
    }

    const std::size_t count = distinct_.size();
    previous_.resize(count);
    rank_.resize(count);
    offset_.resize(count);
    deltas_.clear();
    double sum = 0;
    bool too_many = false;
    for (std::uint32_t i = 0; i < count && !too_many; ++i) {
        const NodeId a = distinct_[i];
        sum += counts_[i] * counts_[i] * self_[raw(a)];
        if (sigma == 0 || forest_->is_leaf(a)) {
            continue;
        }
        std::uint32_t& last = last_[raw(forest_->production(a))];
        previous_[i] = last;
        rank_[i] = last == kNone ? 0 : rank_[last] + 1;
        offset_[i] = deltas_.size();
        too_many = deltas_.size() + rank_[i] > kMostPairs;
        deltas_.resize(deltas_.size() + (too_many ? 0 : rank_[i]));
        for (std::uint32_t j = too_many ? kNone : last; j != kNone; j = previous_[j]) {
            const double d = delta(a, distinct_[j]);
            deltas_[offset_[i] + rank_[j]] = d;
            sum += 2 * counts_[i] * counts_[j] * d;
        }
        last = i;
    }
    for (const NodeId node : distinct_) {
        position_[raw(node)] = kNone;
        last_[raw(forest_->production(node))] = kNone;
    }
    if (too_many) {
        throw base::Error("the norm of a tree with " + std::to_string(nodes.size()) +
                          " nodes needs more than " + std::to_string(kMostPairs) +
                          " pairs of nodes; use the explicit norm or none");
    }
    return sum;
}

double TreeNorm::delta(NodeId a, NodeId b) const {
    const auto below_a = forest_->children(a);
    const auto below_b = forest_->children(b);
    double product = kernel_.lambda;
    for (std::size_t i = 0; i < below_a.size(); ++i) {
        const NodeId x = below_a[i];
        const NodeId y = below_b[i];
        if (forest_->is_leaf(x)) {
            continue;
        }
        if (x == y) {
            product *= 1 + self_[raw(x)];
        } else if (forest_->production(x) == forest_->production(y)) {
            const std::uint32_t p = position_[raw(x)];
            const std::uint32_t q = position_[raw(y)];
            product *= 1 + (p > q ? deltas_[offset_[p] + rank_[q]] : deltas_[offset_[q] + rank_[p]]);
        }
    }
    return product;
}

double TreeNorm::partial_kernel(std::span<const NodeId> nodes) const {
    // In a forest of its own ids follow the tree alone.
    tree::Forest own;
    std::unordered_map<std::uint32_t, NodeId> copies;
    std::vector<NodeId> children;
    NodeId root{};
    for (const NodeId node : nodes) {
        const auto [copy, added] = copies.try_emplace(raw(node));
        if (added) {
            children.clear();
            for (const NodeId child : forest_->children(node)) {
                children.push_back(copies.at(raw(child)));
            }
            copy->second =
                own.add_node(own.symbols().intern(forest_->symbols().text(forest_->label(node))), children);
        }
        root = copy->second;
    }
    return nodes.empty() ? 0 : kernel::PairwiseEvaluator(own, kernel_).self_value(root);
}

}  // namespace treeline::fragment
