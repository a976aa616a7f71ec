#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "example/example_set.hpp"
#include "kernel/description.hpp"
#include "kernel/kernel_space.hpp"
#include "kernel/target_index.hpp"
#include "tree/forest.hpp"

namespace treeline::kernel {

/// The trees that one tree kernel sees: those at one place of each example (kernels that pair trees by
/// place), or all of them.
struct TreeSlot {
    static constexpr std::size_t kAllTrees = ~std::size_t{0};

    const tree::Forest* forest;
    const example::ExampleSet* examples;
    kernel::TreeKernel kernel;
    std::size_t place;
    double weight;  ///< of the kernel in its sum
    Precision precision;
    double largest_self = 0;    ///< kernel of a tree with itself, so far
    std::vector<double> norms;  ///< inverse norms by root; not a number where not known yet

    [[nodiscard]] std::span<const tree::NodeId> trees(std::uint32_t example) const;
    void prepare(std::span<const std::uint32_t> targets);
    /// No D(a, b) <= sqrt(K(x, x) K(y, y)) is too large for a float.
    [[nodiscard]] bool is_single() const { return precision == Precision::kSingle && largest_self < 1e30; }
};

/// Targets as a TargetIndex over their distinct trees. One pass over the rows D(a, .) of the distinct nodes a
/// of the other examples gives the sums of all of them: cost follows pairs of distinct matching nodes, not
/// pairs of examples.
class TreeBlock final : public KernelBlock {
  public:
    TreeBlock(const TreeSlot& slot, std::span<const std::uint32_t> targets);

    void add_at_targets(std::span<const WeightedExample> x, std::span<double> out) const override;
    void add_at_examples(std::span<const double> weights, std::span<const std::uint32_t> examples,
                         std::span<double> out) const override;
    [[nodiscard]] std::size_t bytes() const override;

  private:
    template <typename T>
    [[nodiscard]] std::vector<double> sums_by_rank(std::span<const WeightedExample> x) const;
    template <typename T>
    void add_weighted(std::span<const double> by_rank, std::span<const std::uint32_t> examples,
                      std::span<double> out) const;

    const TreeSlot* slot_;
    std::vector<std::size_t> begin_{0};  // of each target's trees in which_
    std::vector<std::uint32_t> which_;   // number of each tree among the distinct ones
    std::vector<tree::NodeId> roots_;    // distinct
    kernel::TargetIndex index_;
};

}  // namespace treeline::kernel
