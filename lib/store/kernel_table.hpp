#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "store/npy.hpp"

namespace treeline::store {

/// Kernel values as an Arrow IPC file, whole or not at all: of a matrix the column
///     values: fixed_size_list<float64 or float32>[columns]
/// with a row per row of the matrix; of pairs the column `value: float64 or float32` with a row per pair.
class KernelTable {
  public:
    static constexpr std::uint64_t kPairs = ~std::uint64_t{0};

    /// `columns`: of the matrix, or kPairs.
    KernelTable(const std::string& path, NpyType type, std::uint64_t columns);
    ~KernelTable();

    /// The next row of the matrix, or any number of pairs, as append_npy writes numbers of this type.
    void add(std::string_view numbers);
    void commit();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace treeline::store
