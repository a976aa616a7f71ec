#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace treeline::polynomial {

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

inline void set_bit(RowBits& bits, std::uint32_t rank) { bits[rank / 64] |= std::uint64_t{1} << (rank % 64); }

/// Chosen rows with the bits of their frequent features and the ranks of the others, the tail, within a cache
/// line.
struct PackedRows {
    static constexpr std::size_t kInlineTail = 6;
    static constexpr std::uint32_t kNone = 0xffffffff;

    struct alignas(64) Head {
        RowBits bits{};
        std::array<std::uint32_t, kInlineTail> tail;  ///< ascending; filled up with kNone
        std::uint32_t rest_row = kNone;               ///< the row, if more of the tail is left
        std::uint32_t rest_position = 0;              ///< in that row, where it is left
    };

    explicit PackedRows(RowView view) : rows(view) {}

    void append(std::uint32_t number) {
        const auto row = rows.row(number);
        Head head;
        head.tail.fill(kNone);
        std::size_t next = 0;
        while (next < row.size() && row[next] < kBitFeatures) {
            set_bit(head.bits, row[next++]);
        }
        for (std::size_t k = 0; k < kInlineTail && next < row.size(); ++k) {
            head.tail[k] = row[next++];
        }
        if (next < row.size()) {
            head.rest_row = number;
            head.rest_position = static_cast<std::uint32_t>(next);
        }
        heads.push_back(head);
    }

    RowView rows;
    std::vector<Head> heads;
};

/// The features to compare rows with, which come one by one in ascending order.
class RowQuery {
  public:
    explicit RowQuery(std::size_t features) : marks_(features, 0) {}

    void clear() {
        bits_ = {};
        for (const std::uint32_t rank : tail_) {
            marks_[rank] = 0;
        }
        tail_.clear();
    }
    void add(std::uint32_t rank) {
        if (rank < kBitFeatures) {
            set_bit(bits_, rank);
        } else {
            marks_[rank] = 1;
            tail_.push_back(rank);
        }
    }
    [[nodiscard]] const RowBits& bits() const { return bits_; }
    /// 1 for those that are not among the bits.
    [[nodiscard]] const std::uint8_t* marks() const { return marks_.data(); }

  private:
    RowBits bits_{};
    std::vector<std::uint32_t> tail_;
    std::vector<std::uint8_t> marks_;
};

}  // namespace treeline::polynomial
