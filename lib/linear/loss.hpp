#pragma once

#include <algorithm>
#include <cmath>

namespace treeline::linear {

/// A loss at a margin m = y f(x), with its derivatives by m.
struct Loss {
    double value;
    double slope;
    double curvature;  ///< of max(0, 1 - m)^2 at m = 1: 0, the side without loss
};

/// max(0, 1 - m)^2
[[nodiscard]] inline Loss squared_hinge(double margin) {
    const double missing = 1 - margin;
    return missing > 0 ? Loss{missing * missing, -2 * missing, 2} : Loss{0, 0, 0};
}

/// log(1 + exp(-m))
[[nodiscard]] inline Loss logistic(double margin) {
    const double small = std::exp(-std::abs(margin));
    const double other = (margin >= 0 ? small : 1) / (1 + small);  // probability of the other class
    return {std::log1p(small) + std::max(0.0, -margin), -other, other * (1 - other)};
}

}  // namespace treeline::linear
