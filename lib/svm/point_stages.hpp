#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "kernel/kernel_space.hpp"

namespace treeline::svm {

/// The points (distinct examples) of a training set in the order in which they join the search for an optimum: a sample,
/// four times as many, and so on up to all; and what evaluates those of a stage together. Parallel inside; not thread-safe.
class PointStages {
  public:
    /// Up to `small` points (or twice `first_sample`) make one stage; of more, `seed` draws the samples.
    PointStages(std::size_t points, std::size_t first_sample, std::size_t small, std::uint64_t seed);

    [[nodiscard]] std::size_t size() const { return stages_.size(); }

    /// Numbers of the points of a stage, ascending.
    [[nodiscard]] std::span<const std::uint32_t> points(std::size_t stage) const {
        return stages_[stage].points;
    }

    /// sum_j c_j K(x, x_j) over `support` for every point x of a stage, in their order; `examples` has the example of each
    /// point of the whole set. Asks `stop` now and then: if it says so, the sums are not finished.
    [[nodiscard]] std::vector<double> sums(std::size_t stage,
                                           std::span<const kernel::WeightedExample> support,
                                           kernel::KernelSpace& space,
                                           std::span<const std::uint32_t> examples,
                                           const std::function<bool()>& stop);

    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Stage {
        std::vector<std::uint32_t> points;
        std::vector<std::unique_ptr<kernel::KernelBlock>> blocks;  // made when they are needed first
    };

    static void make_blocks(Stage& stage, kernel::KernelSpace& space,
                            std::span<const std::uint32_t> examples);

    std::vector<Stage> stages_;
};

}  // namespace treeline::svm
