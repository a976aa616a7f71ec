#include "kernel/tree_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/pairwise.hpp"
#include "tree/example_set.hpp"

namespace treeline::kernel {

using tree::Forest;
using tree::NodeId;

std::vector<double> self_kernels(const Forest& forest, std::span<const NodeId> roots, const TreeKernel& kernel) {
    std::vector<double> values(roots.size());
    base::parallel_pieces(roots.size(), 256, [&](std::size_t begin, std::size_t end) {
        PairwiseEvaluator evaluator(forest, kernel);
        for (std::size_t i = begin; i < end; ++i) {
            values[i] = roots[i] == tree::kEmptyTree ? 0 : evaluator.self_value(roots[i]);
            if (!std::isfinite(values[i])) {
                throw base::Error("the kernel of a tree with itself is too large for " + to_string(describe(kernel)) +
                                  "; use a smaller lambda");
            }
        }
    });
    return values;
}

std::vector<double> inverse_norms(std::span<const double> self_kernels, const TreeKernel& kernel) {
    std::vector<double> norms(self_kernels.size(), 1.0);
    if (kernel.normalize) {
        std::ranges::transform(self_kernels, norms.begin(), [](double k) { return k > 0 ? 1 / std::sqrt(k) : 0.0; });
    }
    return norms;
}

template <typename T>
TreeRows<T>::TreeRows(const Forest& forest, std::span<const NodeId> roots, std::span<const double> norms,
                      const TreeKernel& kernel, std::size_t block_targets)
    : forest_(&forest),
      kernel_(kernel),
      leaves_(kernel.uses_leaves() ? Forest::Leaves::kWith : Forest::Leaves::kWithout),
      block_targets_(block_targets),
      norms_(norms.begin(), norms.end()) {
    for (std::size_t begin = 0; begin < roots.size(); begin += block_targets) {
        blocks_.emplace_back(forest, roots.subspan(begin, std::min(block_targets, roots.size() - begin)), kernel_);
    }
}

template <typename T>
void TreeRows<T>::row(NodeId x, double norm, std::span<T> out) const {
    if (x == tree::kEmptyTree) {
        std::ranges::fill(out, T{0});
        return;
    }
    tree::TreeNodes nodes;
    forest_->decompose(x, leaves_, nodes);
    base::parallel_pieces(blocks_.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t block = begin; block < end; ++block) {
            block_row(block, nodes, static_cast<T>(norm), out.data() + block * block_targets_);
        }
    });
}

template <typename T>
void TreeRows<T>::block_row(std::size_t block, const tree::TreeNodes& x, T norm, T* out) const {
    const TargetIndex& index = blocks_[block];
    const T single = static_cast<T>(kernel_.counted_single_node());
    DeltaRows<T> deltas(*forest_, index, kernel_);
    auto& sums = sums_.local();
    sums.assign(index.step_count(), 0);
    for (std::size_t a = 0; a < x.nodes.size(); ++a) {
        const auto& row = deltas.add(x.nodes[a]);
        const T count = static_cast<T>(x.counts[a]);
        index.scatter(row.run, sums.data(), [&](std::uint32_t i) { return count * (row.values[i] + single); });
    }
    index.add_upwards(sums.data());
    const auto roots = index.root_steps();
    const T* norms = norms_.data() + block * block_targets_;
    for (std::size_t t = 0; t < roots.size(); ++t) {
        out[t] = roots[t] == TargetIndex::kNoStep ? T{0} : sums[roots[t]] * (norm * norms[t]);
    }
}

template <typename T>
std::size_t TreeRows<T>::bytes() const {
    std::size_t sum = norms_.capacity() * sizeof(T);
    for (const auto& block : blocks_) {
        sum += block.bytes();
    }
    return sum;
}

template class TreeRows<float>;
template class TreeRows<double>;

}  // namespace treeline::kernel
