#include "kernel/tree_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <type_traits>

#include "base/parallel.hpp"
#include "example/example_set.hpp"
#include "kernel/pairwise.hpp"

namespace treeline::kernel {

using tree::Forest;
using tree::NodeId;

std::vector<double> self_kernels(const Forest& forest, std::span<const NodeId> roots,
                                 const TreeKernel& kernel) {
    std::vector<double> values(roots.size());
    base::parallel_pieces(roots.size(), 256, [&](std::size_t begin, std::size_t end) {
        PairwiseEvaluator evaluator(forest, kernel);
        for (std::size_t i = begin; i < end; ++i) {
            values[i] =
                roots[i] == example::kEmptyTree ? 0 : require_finite(evaluator.self_value(roots[i]), kernel);
        }
    });
    return values;
}

std::vector<double> inverse_norms(std::span<const double> self_kernels, const TreeKernel& kernel) {
    std::vector<double> norms(self_kernels.size(), 1.0);
    if (kernel.normalize) {
        std::ranges::transform(self_kernels, norms.begin(),
                               [](double k) { return k > 0 ? 1 / std::sqrt(k) : 0.0; });
    }
    return norms;
}

template <typename T>
TreeRows<T>::TreeRows(const Forest& forest, std::span<const NodeId> roots, std::span<const double> norms,
                      const TreeKernel& kernel, std::size_t block_targets)
    : forest_(&forest),
      kernel_(kernel),
      leaves_(kernel.family().leaves()),
      block_targets_(block_targets),
      norms_(norms.begin(), norms.end()) {
    for (std::size_t begin = 0; begin < roots.size(); begin += block_targets) {
        const auto& index = blocks_.emplace_back(
            forest, roots.subspan(begin, std::min(block_targets, roots.size() - begin)), kernel_);
        std::vector<double> sizes(index.step_count());
        index.scatter({0, static_cast<std::uint32_t>(index.size())}, sizes.data(),
                      [](std::uint32_t) { return 1.0; });
        index.add_upwards(sizes.data());
        most_nodes_.push_back(sizes.empty() ? 0 : std::ranges::max(sizes));
    }
}

template <typename T>
void TreeRows<T>::row(NodeId x, double norm, std::span<T> out) const {
    if (x == example::kEmptyTree) {
        std::ranges::fill(out, T{0});
        return;
    }
    tree::TreeNodes nodes;
    forest_->decompose(x, leaves_, nodes);
    const double size = std::accumulate(nodes.counts.begin(), nodes.counts.end(), 0.0);
    base::parallel_pieces(blocks_.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t block = begin; block < end; ++block) {
            T* const values = out.data() + block * block_targets_;
            if (std::max(size, most_nodes_[block]) > kFloatNodes ||
                !block_row(block, nodes, norm, sums_.local(), values)) {
                std::vector<double> sums;
                block_row(block, nodes, norm, sums, values);
                std::for_each_n(values, blocks_[block].target_count(),
                                [&](T value) { std::ignore = require_finite(value, kernel_); });
            }
        }
    });
}

template <typename T>
template <typename S>
bool TreeRows<T>::block_row(std::size_t block, const tree::TreeNodes& x, double norm, std::vector<S>& sums,
                            T* out) const {
    constexpr S kLargest = std::is_same_v<S, float> ? static_cast<S>(1e30) : std::numeric_limits<S>::max();
    const TargetIndex& index = blocks_[block];
    const S single = static_cast<S>(kernel_.counted_single_node());
    DeltaRows<S> deltas(*forest_, index, kernel_);
    sums.assign(index.step_count(), 0);
    for (std::size_t a = 0; a < x.nodes.size(); ++a) {
        const auto& row = deltas.add(x.nodes[a]);
        const S count = static_cast<S>(x.counts[a]);
        index.scatter(row.run, sums.data(),
                      [&](std::uint32_t i) { return count * (row.counted[i] + single); });
    }
    index.add_upwards(sums.data());
    const auto roots = index.root_steps();
    const double* norms = norms_.data() + block * block_targets_;
    bool in_range = true;
    for (std::size_t t = 0; t < roots.size(); ++t) {
        const S sum = roots[t] == TargetIndex::kNoStep ? S{0} : sums[roots[t]];
        in_range &= sum <= kLargest;
        out[t] = static_cast<T>(sum * static_cast<S>(norm * norms[t]));
    }
    return in_range;
}

template <typename T>
std::size_t TreeRows<T>::bytes() const {
    std::size_t sum = norms_.capacity() * sizeof(double);
    for (const auto& block : blocks_) {
        sum += block.bytes();
    }
    return sum;
}

template class TreeRows<float>;
template class TreeRows<double>;

}  // namespace treeline::kernel
