#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/description.hpp"
#include "tree/forest.hpp"

namespace treeline::fragment {

/// K(t, t) of trees in a forest that comes and goes. Unlike kernel::PairwiseEvaluator the sum is taken in the
/// order of the tree itself: not even its last bit depends on the ids that the forest gave, so on what else
/// is in it. Only pairs of different nodes with the same production cost more than a look. Not thread-safe,
/// one per thread.
class TreeNorm {
  public:
    TreeNorm(const tree::Forest& forest, const kernel::TreeKernel& kernel)
        : forest_(&forest), kernel_(kernel) {}

    /// `nodes` are those of the tree in post-order, each as often as it occurs. Throws base::Error where the
    /// value is too large for a double or has more pairs of nodes than memory should be given to.
    [[nodiscard]] double self_kernel(std::span<const tree::NodeId> nodes);

    /// To be called where the forest has been emptied.
    void clear();
    [[nodiscard]] std::size_t bytes() const;

  private:
    [[nodiscard]] double production_kernel(std::span<const tree::NodeId> nodes);
    [[nodiscard]] double partial_kernel(std::span<const tree::NodeId> nodes) const;
    [[nodiscard]] double delta(tree::NodeId a, tree::NodeId b) const;

    const tree::Forest* forest_;
    kernel::TreeKernel kernel_;
    std::vector<double> self_;             // D(a, a) by node
    std::vector<std::uint32_t> position_;  // in distinct_, by node
    std::vector<std::uint32_t> last_;      // position of the last node of a production

    std::vector<tree::NodeId> distinct_;  // of the tree at hand, in order of first occurrence
    std::vector<double> counts_;
    std::vector<std::uint32_t> previous_;  // position of the node before with the same production
    std::vector<std::uint32_t> rank_;      // how many there are
    std::vector<std::size_t> offset_;      // deltas_[offset_[i] + rank_[j]] is D(i, j), j < i
    std::vector<double> deltas_;
};

}  // namespace treeline::fragment
