#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "example/example_set.hpp"

namespace treeline::example {

/// Which of some examples are equal in their trees and vectors (labels and costs aside).
struct DistinctExamples {
    std::vector<std::uint32_t> first;  ///< position in the list of the first of each kind, ascending
    std::vector<std::uint32_t> which;  ///< for each position, its kind
};

/// `subset` are examples of the set. Equality is decided on structures, not on hashes.
[[nodiscard]] DistinctExamples find_distinct(const example::ExampleSet& examples,
                                             std::span<const std::uint32_t> subset);

}  // namespace treeline::example
