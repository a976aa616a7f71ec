#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace treeline::fsl {

enum class Splitting {
    kRandom,      ///< shuffled, then dealt out
    kStratified,  ///< the same within each class
    kBlocks       ///< contiguous, in the order of the input
};

/// Deals `members` (the class of each example) into `count` parts; each lists positions in ascending order.
/// Sizes differ by at most one (stratified: per class). Depends on the seed, not on threads.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> split_examples(std::span<const std::uint32_t> members,
                                                                     std::size_t count, Splitting splitting,
                                                                     std::uint64_t seed);

/// "3/10".
struct SplitChoice {
    std::size_t number = 0;  ///< from 1; 0 = all of them
    std::size_t count = 0;
};
/// Throws UsageError.
[[nodiscard]] SplitChoice parse_split(std::string_view text);

/// `split-003-of-010.svm`, or `split-003-of-010.CLASS_FILE` where there are several machines.
[[nodiscard]] std::string split_file_name(std::size_t number, std::size_t count,
                                          const std::string& class_file);

}  // namespace treeline::fsl
