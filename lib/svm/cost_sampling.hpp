#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "kernel/kernel_space.hpp"

namespace treeline::svm {

/// `count` items of `pool`, as example and share of the sample (the shares sum to 1), by ascending example.
///
/// `costs` by example says how much each counts; empty means all the same. Then items are drawn uniformly
/// without replacement, and the pool is left permuted. Else by cost-proportionate rejection sampling (Severyn
/// & Moschitti 2011, algorithm 2): an item is picked uniformly and kept with probability cost / largest cost;
/// items can come several times. Where `count` is 0 or not below the size of the pool, the sample is the
/// whole pool, each item with its share of the cost.
[[nodiscard]] std::vector<kernel::WeightedExample> draw_sample(std::span<std::uint32_t> pool,
                                                               std::span<const double> costs,
                                                               std::size_t count, base::Random& random);

}  // namespace treeline::svm
