#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace treeline::classify {

/// Decision values of a list of examples, one row each: one value a class or, where two classes are told apart by
/// one machine, a single one that is positive for the first.
struct Decisions {
    std::size_t columns = 1;
    std::vector<double> values;

    [[nodiscard]] std::size_t size() const { return values.size() / columns; }
    [[nodiscard]] std::span<const double> row(std::size_t example) const {
        return {values.data() + example * columns, columns};
    }
};

}  // namespace treeline::classify
