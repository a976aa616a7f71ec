#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace treeline::polynomial {

/// Dense numbers 0, 1, ... for feature indices of any size up to 2^64 - 1, in order of first sight.
class FeatureNumbers {
  public:
    static constexpr std::uint32_t kNone = 0xffffffff;

    /// The number of `index`, given to it if it has none. Throws base::Error beyond 2^32 - 2 features.
    std::uint32_t number(std::uint64_t index);
    /// kNone for an index without a number.
    [[nodiscard]] std::uint32_t find(std::uint64_t index) const;
    [[nodiscard]] std::size_t size() const { return count_; }

  private:
    /// Indices below this are looked up in an array, the others in a hash table.
    static constexpr std::uint64_t kArrayLimit = std::uint64_t{1} << 22;

    std::vector<std::uint32_t> small_;
    std::unordered_map<std::uint64_t, std::uint32_t> large_;
    std::uint32_t count_ = 0;
};

/// Features in order of falling frequency in the training data, ties by index (Yoshinaga & Kitsuregawa 2010,
/// section 3.1): rank 0 is the most frequent one.
class FeatureRanking {
  public:
    FeatureRanking() = default;
    /// `indices[rank]` is the feature of that rank; they are distinct.
    explicit FeatureRanking(std::vector<std::uint64_t> indices);

    [[nodiscard]] std::size_t size() const { return indices_.size(); }
    [[nodiscard]] std::uint64_t index(std::uint32_t rank) const { return indices_[rank]; }
    /// FeatureNumbers::kNone for a feature that has no rank.
    [[nodiscard]] std::uint32_t find_rank(std::uint64_t index) const { return ranks_.find(index); }

  private:
    std::vector<std::uint64_t> indices_;
    FeatureNumbers ranks_;
};

}  // namespace treeline::polynomial
