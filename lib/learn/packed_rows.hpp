#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace treeline::learn {

/// Rows of ascending ranks that others own.
struct RowView {
    std::span<const std::uint64_t> offsets;
    std::span<const std::uint32_t> features;

    [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
    [[nodiscard]] std::span<const std::uint32_t> row(std::size_t i) const {
        return features.subspan(offsets[i], offsets[i + 1] - offsets[i]);
    }
};

/// Bits of the most frequent features of a row: nearly all of a row for text-like data.
using RowBits = std::array<std::uint64_t, 4>;
inline constexpr std::uint32_t kBitFeatures = 256;

[[nodiscard]] inline RowBits row_bits(std::span<const std::uint32_t> row) {
    RowBits bits{};
    for (std::size_t i = 0; i < row.size() && row[i] < kBitFeatures; ++i) {
        bits[row[i] / 64] |= std::uint64_t{1} << (row[i] % 64);
    }
    return bits;
}

/// The bits of features below `limit`.
[[nodiscard]] inline RowBits bits_below(const RowBits& bits, std::uint32_t limit) {
    RowBits below{};
    for (std::uint32_t word = 0; word < bits.size(); ++word) {
        if (limit >= (word + 1) * 64) {
            below[word] = bits[word];
        } else if (limit > word * 64) {
            below[word] = bits[word] & ((std::uint64_t{1} << (limit - word * 64)) - 1);
        }
    }
    return below;
}

/// Rows with the bits of their frequent features and the ranks of the others, the tail, within a cache line.
struct PackedRows {
    static constexpr std::size_t kInlineTail = 6;

    struct alignas(64) Head {
        RowBits bits;
        std::array<std::uint32_t, kInlineTail> tail;  ///< ascending; filled up with 2^32 - 1
        std::uint64_t rest;  ///< place in rows.features of what is left of the tail; 0 if nothing is
    };

    explicit PackedRows(RowView view) : rows(view), heads(view.size()) {
        for (std::size_t i = 0; i < view.size(); ++i) {
            const auto row = rows.row(i);
            Head& head = heads[i];
            head.bits = row_bits(row);
            head.tail.fill(0xffffffff);
            head.rest = 0;
            std::size_t next = 0;
            while (next < row.size() && row[next] < kBitFeatures) {
                ++next;
            }
            for (std::size_t k = 0; k < kInlineTail && next < row.size(); ++k) {
                head.tail[k] = row[next++];
            }
            if (next < row.size()) {
                head.rest = rows.offsets[i] + next;
            }
        }
    }

    RowView rows;
    std::vector<Head> heads;
};

/// A row to compare others with: marks its features so that shared ones are counted in a glance.
class RowQuery {
  public:
    explicit RowQuery(std::size_t features) : marks_(features, 0) {}

    /// Replaces the row; `row` must stay until the next call.
    void set(std::span<const std::uint32_t> row) {
        for (const std::uint32_t rank : tail_) {
            marks_[rank] = 0;
        }
        bits_ = row_bits(row);
        std::size_t frequent = 0;
        while (frequent < row.size() && row[frequent] < kBitFeatures) {
            ++frequent;
        }
        tail_ = row.subspan(frequent);
        for (const std::uint32_t rank : tail_) {
            marks_[rank] = 1;
        }
    }
    [[nodiscard]] const RowBits& bits() const { return bits_; }
    [[nodiscard]] const std::uint8_t* marks() const { return marks_.data(); }

  private:
    RowBits bits_{};
    std::span<const std::uint32_t> tail_;
    std::vector<std::uint8_t> marks_;
};

}  // namespace treeline::learn
