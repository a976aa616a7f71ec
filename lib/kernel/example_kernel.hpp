#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "example/example_set.hpp"
#include "kernel/description.hpp"
#include "kernel/pairwise.hpp"
#include "tree/forest.hpp"

namespace treeline::kernel {

/// Throws base::UsageError if the kernel asks for trees (or vectors) and no example of the set has any:
/// every value would be 0.
void require_fitting(const KernelDescription& kernel, const example::ExampleSet& examples);
/// Of examples to classify: throws base::UsageError if there are some and none of them has anything that the kernel
/// compares, be it trees or vectors: every decision would be the same.
void require_fitting(const KernelDescription& kernel, const example::ExampleSet& examples,
                     std::span<const std::uint32_t> targets);

/// The kernel of two examples, pair by pair (FTK on their trees). Several trees or vectors are paired as the
/// kernel says and summed; an example with fewer of them contributes what it has. Keeps work space; not
/// thread-safe, one per thread.
class ExampleKernel {
  public:
    ExampleKernel(const KernelDescription& kernel, const tree::Forest& forest);

    [[nodiscard]] double value(const example::ExampleSet& x_set, std::size_t x,
                               const example::ExampleSet& y_set, std::size_t y);
    [[nodiscard]] double self_value(const example::ExampleSet& set, std::size_t x) {
        return value(set, x, set, x);
    }

  private:
    [[nodiscard]] double tree_value(const TreeKernel& kernel, PairwiseEvaluator& evaluator, tree::NodeId x,
                                    tree::NodeId y);

    KernelDescription kernel_;
    std::vector<PairwiseEvaluator> evaluators_;  // one per tree factor, in order
    PairwiseTree x_;
    PairwiseTree y_;
};

/// sum over the pairs that `pairing` makes of m and n items of value(i, j).
template <typename Value>
[[nodiscard]] double sum_over_pairs(Pairing pairing, std::size_t m, std::size_t n, Value&& value) {
    double sum = 0;
    for (std::size_t i = 0; i < m; ++i) {
        if (pairing == Pairing::kAligned) {
            sum += i < n ? value(i, i) : 0;
        } else {
            for (std::size_t j = 0; j < n; ++j) {
                sum += value(i, j);
            }
        }
    }
    return sum;
}

}  // namespace treeline::kernel
