#include "fragment/weight.hpp"

#include <algorithm>
#include <cmath>

namespace treeline::fragment {

const char* to_string(WeightScheme scheme) { return scheme == WeightScheme::kExact ? "exact" : "depth"; }

double occurrence_value(FragmentView fragment, const kernel::TreeKernel& kernel, WeightScheme scheme) {
    if (kernel.is_partial()) {
        double exponent = 0;
        for (const FragmentNode& node : fragment) {
            exponent += std::max(1U, child_count(node));
        }
        return std::pow(kernel.mu, static_cast<double>(fragment.size()) / 2) *
               std::pow(kernel.lambda, exponent);
    }
    const Shape shape = measure(fragment);
    return scheme == WeightScheme::kExact ? std::pow(kernel.lambda, std::max(1U, shape.expanded) / 2.0)
                                          : std::pow(kernel.lambda, std::max(1U, shape.depth));
}

}  // namespace treeline::fragment
