#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/names.hpp"

namespace treeline::evaluate {

enum class Splitting {
    kRandom,      ///< shuffled, then dealt out
    kStratified,  ///< the same within each class
    kBlocks       ///< contiguous, in the order of the input
};

inline constexpr base::NameTable<Splitting, 3> kSplittingNames{{
    {Splitting::kRandom, "random"},
    {Splitting::kStratified, "stratified"},
    {Splitting::kBlocks, "blocks"},
}};

/// A number of parts that suits the examples whose classes `members` lists: one for every 10,000, at most 10; not more than the
/// rarest class has examples, unless parts would then have more than 40,000. At least 1.
[[nodiscard]] std::size_t suggest_split_count(std::span<const std::uint32_t> members);

/// Deals `members` (the class of each example) into `count` parts; each lists positions in ascending order.
/// Sizes differ by at most one (stratified: per class). Depends on the seed, not on threads.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> split_examples(std::span<const std::uint32_t> members,
                                                                     std::size_t count, Splitting splitting,
                                                                     std::uint64_t seed);

}  // namespace treeline::evaluate
