#include "example/decision.hpp"

#include <algorithm>
#include <cmath>

#include "base/data_error.hpp"

namespace treeline::example {

std::size_t decide(std::span<const double> values) {
    if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) {
        throw base::DataError(
            "a decision value is not a finite number: the weights of the model, or the features of the example, are too large");
    }
    if (values.size() == 1) {
        return values[0] > 0 ? 0 : 1;
    }
    return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

}  // namespace treeline::example
