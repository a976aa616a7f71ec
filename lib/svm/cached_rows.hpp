#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "kernel/kernel_space.hpp"
#include "svm/dual_solver.hpp"
#include "svm/row_cache.hpp"

namespace treeline::svm {

/// Rows from the cache; sums from rows where they are there, else over distinct nodes.
template <typename T>
class CachedRows final : public DualRows<T> {
  public:
    CachedRows(RowCache<T>& cache, const kernel::KernelSpace& space) : cache_(cache), space_(space) {}

    const T* row(std::uint32_t example) override { return cache_.row(example); }
    [[nodiscard]] std::uint32_t position(std::uint32_t example) const override {
        return cache_.position(example);
    }
    void sums(std::span<const DualVariable> variables, std::span<const std::uint32_t> examples,
              std::span<double> out) override {
        std::ranges::fill(out, 0.0);
        std::vector<kernel::WeightedExample> others;
        std::vector<const T*> rows;
        std::vector<double> values;
        for (const DualVariable& v : variables) {
            if (cache_.is_ready(v.example)) {
                rows.push_back(cache_.row(v.example));
                values.push_back(v.value);
            } else {
                others.push_back({v.example, v.value});
            }
        }
        base::parallel_pieces(examples.size(), 1024, [&](std::size_t begin, std::size_t end) {
            for (std::size_t r = 0; r < rows.size(); ++r) {
                for (std::size_t k = begin; k < end; ++k) {
                    out[k] += values[r] * static_cast<double>(rows[r][cache_.position(examples[k])]);
                }
            }
        });
        if (!others.empty() && !examples.empty()) {
            space_.make_block(examples)->add_at_targets(others, out);
        }
    }

  private:
    RowCache<T>& cache_;
    const kernel::KernelSpace& space_;
};

}  // namespace treeline::svm
