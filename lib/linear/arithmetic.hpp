#pragma once

#include <numeric>
#include <span>

namespace treeline::linear {

/// 1, 0 or -1.
[[nodiscard]] inline double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

[[nodiscard]] inline double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace treeline::linear
