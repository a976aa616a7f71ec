#include "fragment/weight.hpp"

#include <algorithm>
#include <cmath>

namespace treeline::fragment {

double occurrence_value(FragmentView fragment, const kernel::TreeKernel& kernel, WeightScheme scheme) {
    if (kernel.is_partial()) {
        double childless = 0;
        for (const FragmentNode& node : fragment) {
            childless += child_count(node) == 0;
        }
        const auto nodes = static_cast<double>(fragment.size());
        return std::pow(kernel.mu, nodes / 2) * std::pow(kernel.lambda, childless) *
               std::pow(kernel.child_factor(), nodes - 1);
    }
    const Shape shape = measure(fragment);
    return scheme == WeightScheme::kExact ? std::pow(kernel.lambda, std::max(1U, shape.expanded) / 2.0)
                                          : std::pow(kernel.lambda, std::max(1U, shape.depth));
}

}  // namespace treeline::fragment
