#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "kernel/kernel_sums.hpp"
#include "svm/row_cache.hpp"
#include "svm/training_problem.hpp"

namespace treeline::svm {

/// out[i] = sum_k weights[k] columns[k][i], in the order of k. Parallel, the same for any number of threads.
void sum_columns(std::span<const double> weights, std::span<const float* const> columns,
                 std::span<double> out);

/// Sums of kernel values on all training examples. Where their whole kernel matrix has room, each row is
/// computed once, when it is first asked for, and kept; else every sum goes over distinct nodes
/// (kernel_space.hpp).
///
/// Not thread-safe; parallel inside, with the same result for any number of threads.
class KernelColumns {
  public:
    /// `memory` is what rows may take in bytes. What `data` refers to must outlive this.
    KernelColumns(const TrainingData& data, std::uint64_t memory);

    /// out[i] = sum_k x_k.weight K(x_k, example i); examples are named by their position in the subset.
    void sum(std::span<const kernel::WeightedExample> x, std::span<double> out);

  private:
    void sum_rows(std::span<const kernel::WeightedExample> x, std::span<double> out);

    TrainingData data_;
    std::optional<RowCache<float>> rows_;
    kernel::KernelSpace space_;
    kernel::KernelSums all_;  // empty if there are rows
};

}  // namespace treeline::svm
