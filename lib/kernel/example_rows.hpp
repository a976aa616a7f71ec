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

/// One example against many at once, for any kernel description: tree factors by TreeRows over the distinct
/// trees of the targets, vector factors by sparse products. T is float or double.
///
/// Thread-safe; parallel inside, over blocks of targets. The values are the same for any number of threads.
template <typename T>
class ExampleRows {
  public:
    /// The targets are these examples of `set` (which must outlive this, as must the forest).
    ExampleRows(const KernelDescription& kernel, const tree::Forest& forest, const example::ExampleSet& set,
                std::span<const std::uint32_t> targets);
    ~ExampleRows();
    ExampleRows(ExampleRows&&) noexcept;
    ExampleRows& operator=(ExampleRows&&) noexcept;

    [[nodiscard]] std::size_t target_count() const { return target_count_; }

    /// out[t] = K(x, target t), x an example of any set over the same forest.
    void row(const example::ExampleSet& set, std::size_t x, std::span<T> out) const;

    [[nodiscard]] std::size_t bytes() const;

    /// Rows of one factor of the description.
    class Factor;

  private:
    KernelDescription kernel_;
    std::size_t target_count_;
    std::vector<std::unique_ptr<Factor>> factors_;  // in the order of the description
};

extern template class ExampleRows<float>;
extern template class ExampleRows<double>;

}  // namespace treeline::kernel
