#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace treeline::linear {

/// A symmetric positive definite matrix and, once factorized, L with A = L L'. Dense, n (n + 1) / 2 numbers count,
/// n^2 are stored; only the lower triangle is looked at.
class SymmetricMatrix {
  public:
    explicit SymmetricMatrix(std::size_t size) : size_(size), entries_(size * size) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    /// Row i: its first i + 1 entries are the lower triangle.
    [[nodiscard]] std::span<double> row(std::size_t i) {
        return std::span(entries_).subspan(i * size_, size_);
    }

    /// Replaces A by L. n^3 / 6 products, in parallel; the same bytes for any number of threads. False if a pivot
    /// is not above 0: the matrix is not positive definite, and of no use afterwards.
    [[nodiscard]] bool factorize();

    /// x = A^-1 x, after factorize().
    void solve(std::span<double> x);

  private:
    std::size_t size_;
    std::vector<double> entries_;
};

}  // namespace treeline::linear
