#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernel/kernel_space.hpp"

namespace treeline::kernel {

/// KernelBlock for a list of targets that grows. Targets are held in blocks whose sizes fall steeply, so that
/// a few more targets cost a small block, and every target takes part in few rebuildings.
class KernelSums {
  public:
    /// The space must outlive this.
    explicit KernelSums(const KernelSpace& space) : space_(&space) {}

    /// Appends targets, which the space has prepared.
    void append(std::span<const std::uint32_t> targets);
    void clear();
    [[nodiscard]] std::span<const std::uint32_t> targets() const { return targets_; }

    /// out[t] = sum_i x_i.weight K(x_i, target t).
    void at_targets(std::span<const WeightedExample> x, std::span<double> out) const;
    /// out[k] = sum_t weights[t] K(examples[k], target t).
    void at_examples(std::span<const double> weights, std::span<const std::uint32_t> examples,
                     std::span<double> out) const;

    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Piece {
        std::size_t begin;
        std::size_t end;
        std::unique_ptr<KernelBlock> block;
        [[nodiscard]] std::size_t size() const { return end - begin; }
    };

    const KernelSpace* space_;
    std::vector<std::uint32_t> targets_;
    std::vector<Piece> pieces_;
};

}  // namespace treeline::kernel
