#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/splits.hpp"

namespace treeline::evaluate {

/// Positions of the examples to learn from and of those to judge by, ascending.
struct Fold {
    std::vector<std::uint32_t> training;
    std::vector<std::uint32_t> test;
};

/// Folds of a cross-validation, whose test parts are those of split_examples(): an example is in the test part of one of
/// them. `members` is the class of each example. Where a test part would have all examples of a class, they are learned from in
/// that fold, too, and not judged: every training part has all classes.
[[nodiscard]] std::vector<Fold> make_folds(std::span<const std::uint32_t> members, std::size_t count,
                                           Splitting splitting, std::uint64_t seed);

}  // namespace treeline::evaluate
