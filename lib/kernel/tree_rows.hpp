#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <tbb/enumerable_thread_specific.h>

#include "kernel/delta_rows.hpp"
#include "kernel/description.hpp"
#include "kernel/target_index.hpp"
#include "tree/forest.hpp"

namespace treeline::kernel {

/// K(root, root) of each root (0 for example::kEmptyTree), in parallel. Throws base::Error where a value is
/// too large for a double: a larger tree than lambda and mu allow.
[[nodiscard]] std::vector<double> self_kernels(const tree::Forest& forest,
                                               std::span<const tree::NodeId> roots, const TreeKernel& kernel);

/// 1/sqrt(K) of each, 0 for 0; all 1 if the kernel is not normalized.
[[nodiscard]] std::vector<double> inverse_norms(std::span<const double> self_kernels,
                                                const TreeKernel& kernel);

/// Kernel rows: one tree against all targets at once (DESIGN section 4, "Kernel rows").
///
/// d[b] = sum_{a in x} count(a) D(a,b) for the distinct nodes b of the targets; then K(x, t) is the sum of d
/// over the nodes of t, added up along the shared subtrees, so that every distinct node is visited once.
/// Targets are cut into blocks that stay in the processor's cache; blocks are evaluated in parallel. A value
/// does not depend on threads, and on the blocks only in its rounding.
///
/// T is float or double. With float, trees of many nodes, and values that are too large for it before
/// normalization, are computed in double, so that rows keep to 1e-5. Thread-safe; the forest may grow, but
/// not while a row is computed.
template <typename T>
class TreeRows {
  public:
    static constexpr std::size_t kBlockTargets = 16384;
    /// The sums of larger trees are not left to single precision.
    static constexpr double kFloatNodes = 1000;

    /// `roots` are distinct, or example::kEmptyTree; `norms` are their inverse norms.
    TreeRows(const tree::Forest& forest, std::span<const tree::NodeId> roots, std::span<const double> norms,
             const TreeKernel& kernel, std::size_t block_targets = kBlockTargets);

    [[nodiscard]] std::size_t target_count() const { return norms_.size(); }

    /// out[t] = K(x, t) * norm * norm of t. `norm` is the inverse norm of x.
    void row(tree::NodeId x, double norm, std::span<T> out) const;

    [[nodiscard]] std::size_t bytes() const;

  private:
    /// Computes in S with `sums` as work space; false if a sum came near the limits of S.
    template <typename S>
    bool block_row(std::size_t block, const tree::TreeNodes& x, double norm, std::vector<S>& sums,
                   T* out) const;

    const tree::Forest* forest_;
    TreeKernel kernel_;
    tree::Forest::Leaves leaves_;
    std::size_t block_targets_;
    std::vector<TargetIndex> blocks_;
    std::vector<double> most_nodes_;  // of a target of each block
    std::vector<double> norms_;
    mutable tbb::enumerable_thread_specific<std::vector<T>> sums_;  // work space
};

extern template class TreeRows<float>;
extern template class TreeRows<double>;

}  // namespace treeline::kernel
