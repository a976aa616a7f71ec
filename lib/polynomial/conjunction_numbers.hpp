#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "polynomial/polynomial_kernel.hpp"

namespace treeline::polynomial {

/// The numbers (see ConjunctionTable) of all conjunctions of at most `order` features of a row, in the order
/// of their rarest feature: those among the first n features come first, so that one list serves every root
/// of the row, and a sum over an array of weights is one straight loop. Numbers are kept modulo 2^32, which
/// is enough for arrays.
class ConjunctionNumbers {
  public:
    /// order = 0..3.
    explicit ConjunctionNumbers(unsigned order) : order_(order) {}

    /// Starts with a row, which must stay; nothing is done if it is the one at hand.
    void set(std::span<const std::uint32_t> row) {
        if (row.data() != row_.data() || row.size() != row_.size()) {
            restart(row);
        }
    }
    /// The numbers of the conjunctions among the first `count` features of the row; valid until the next
    /// call.
    std::span<const std::uint32_t> among_first(std::size_t count) {
        if (listed_ < count) {
            extend(count);
        }
        return {numbers_[order_].data(), ends_[order_][count]};
    }
    /// For each of these numbers how many features its conjunction has, likewise.
    std::span<const std::uint8_t> sizes_among_first(std::size_t count) {
        return {sizes_[order_].data(), ends_[order_][count]};
    }

    [[nodiscard]] std::span<const std::uint32_t> row() const { return row_; }

  private:
    void restart(std::span<const std::uint32_t> row);
    void extend(std::size_t count);

    unsigned order_;
    std::span<const std::uint32_t> row_;
    std::size_t listed_ = 0;  ///< features of the row whose conjunctions are listed
    /// By the largest number of features. Grow with the longest row.
    std::array<std::vector<std::uint32_t>, kMaxDegree> numbers_;
    /// Sizes of conjunctions and ends of lists depend on positions alone.
    std::array<std::vector<std::uint8_t>, kMaxDegree> sizes_;
    std::array<std::vector<std::size_t>, kMaxDegree> ends_;
};

}  // namespace treeline::polynomial
