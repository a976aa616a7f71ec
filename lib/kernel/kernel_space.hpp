#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "example/example_set.hpp"
#include "kernel/description.hpp"
#include "tree/forest.hpp"

namespace treeline::kernel {

/// A multiple of an example's image in the feature space.
struct WeightedExample {
    std::uint32_t example = 0;
    double weight = 0;
    bool operator==(const WeightedExample&) const = default;
};

/// A fixed list of examples, the targets, in the feature space of a kernel (or of a part of it). Sums of
/// kernel values between the targets and other examples are formed without going through the pairs where the
/// kernel allows it: trees by weights on their distinct nodes, linear vectors by weights on their features.
///
/// Thread-safe; parallel inside, with the same result for any number of threads.
class KernelBlock {
  public:
    virtual ~KernelBlock() = default;
    /// out[t] += sum_i x_i.weight K(x_i, target t).
    virtual void add_at_targets(std::span<const WeightedExample> x, std::span<double> out) const = 0;
    /// out[k] += sum_t weights[t] K(examples[k], target t).
    virtual void add_at_examples(std::span<const double> weights, std::span<const std::uint32_t> examples,
                                 std::span<double> out) const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// What the values of node pairs are computed in (single only as long as they fit); sums are of doubles.
/// Single takes two thirds of the time.
enum class Precision { kSingle, kDouble };

/// The examples of a set as points of a kernel's feature space.
/// Forest and examples must outlive it and must not grow while it is in use.
class KernelSpace {
  public:
    KernelSpace(const kernel::KernelDescription& kernel, const tree::Forest& forest,
                const example::ExampleSet& examples, Precision precision = Precision::kDouble);
    ~KernelSpace();
    KernelSpace(const KernelSpace&) = delete;
    KernelSpace& operator=(const KernelSpace&) = delete;

    [[nodiscard]] const example::ExampleSet& examples() const { return *examples_; }

    /// Computes what is needed of each example by itself (norms). Every example must have been prepared
    /// before a block sees it. Not thread-safe; parallel inside.
    void prepare(std::span<const std::uint32_t> examples);

    [[nodiscard]] std::unique_ptr<KernelBlock> make_block(std::span<const std::uint32_t> targets) const;

    /// Points of one term of the kernel.
    class Term;

  private:
    const example::ExampleSet* examples_;
    std::vector<std::unique_ptr<Term>> terms_;
};

}  // namespace treeline::kernel
