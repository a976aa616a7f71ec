#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "polynomial/output_change.hpp"
#include "polynomial/packed_rows.hpp"
#include "polynomial/polynomial_kernel.hpp"

namespace treeline::polynomial {

/// Support vectors, numbered in order of their first entry, with coefficients, one for each of `outputs`.
/// Folded, a vector is one entry however often its coefficients change; as a log, every change is an entry of
/// its own, in order of time.
class SupportEntries {
  public:
    /// Without `rows` vectors are only known by their numbers.
    SupportEntries(std::size_t rows, std::size_t outputs, bool folded);

    /// Adds `changes` to the coefficients of row `row`, and to the sums over all entries; true if this made
    /// an entry, which is then the last one.
    bool add(std::uint32_t row, std::span<const OutputChange> changes);
    /// The same for a row that is the vector `vector`, at most vectors().
    bool add_to(std::uint32_t vector, std::uint32_t row, std::span<const OutputChange> changes);
    /// The number of a row that add() has seen.
    [[nodiscard]] std::uint32_t vector_of_row(std::uint32_t row) const { return vector_of_row_[row]; }

    /// Number of entries.
    [[nodiscard]] std::size_t size() const { return vector_of_.size(); }
    [[nodiscard]] std::size_t outputs() const { return outputs_; }
    [[nodiscard]] std::size_t vectors() const { return rows_.size(); }
    /// The number of the vector of an entry: the entry itself if entries are folded.
    [[nodiscard]] std::uint32_t vector_of(std::size_t entry) const { return vector_of_[entry]; }
    [[nodiscard]] std::uint32_t row(std::size_t entry) const { return rows_[vector_of_[entry]]; }
    /// The coefficient of an entry where there is one output.
    [[nodiscard]] double coefficient(std::size_t entry) const { return single_[entry]; }
    /// Those of an entry that are not zero where there are more: few, of the right class and its rivals.
    [[nodiscard]] std::span<const OutputChange> coefficients(std::size_t entry) const {
        return several_[entry];
    }
    /// Either, as additions to outputs.
    [[nodiscard]] std::vector<OutputChange> changes(std::size_t entry) const;
    [[nodiscard]] const std::vector<double>& sums() const { return sums_; }

  private:
    static constexpr std::uint32_t kNone = 0xffffffff;

    std::size_t outputs_;
    bool folded_;
    std::vector<std::uint32_t> vector_of_row_;
    std::vector<std::uint32_t> rows_;                 ///< by vector
    std::vector<std::uint32_t> vector_of_;            ///< by entry
    std::vector<double> single_;                      ///< with one output
    std::vector<std::vector<OutputChange>> several_;  ///< with more
    std::vector<double> sums_;
};

/// Adds to out[0..outputs) the sum over the entries of `postings` of the coefficients times what the feature
/// `rank`, which all of them have, adds to the kernel with the features of `query`, which come before it:
/// k(s, x_j) - k(s, x_{j-1}), Eq. 4 of Yoshinaga & Kitsuregawa (2010). `rows` are those of the vectors.
void accumulate_gains(const PackedRows& rows, const SupportEntries& entries,
                      std::span<const std::uint32_t> postings, const RowQuery& query, std::uint32_t rank,
                      const PolynomialKernel& kernel, double* out);

}  // namespace treeline::polynomial
