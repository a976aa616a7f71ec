#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "tree_texts.hpp"

namespace treeline::python {

using Costs = std::optional<InputArray<double>>;

/// As the package hands them over: one label an example, and costs or none.
[[nodiscard]] inline Labels make_labels(std::vector<std::string> labels, const Costs& costs) {
    Labels out{std::move(labels), {}};
    if (costs) {
        const auto values = span_of(*costs);
        out.costs.assign(values.begin(), values.end());
    }
    return out;
}

}  // namespace treeline::python
