#include "polynomial/polynomial_model.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace treeline::polynomial {

std::size_t PolynomialModel::longest_row() const {
    std::size_t longest = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        longest = std::max(longest, rows().row(i).size());
    }
    return longest;
}

std::size_t positive_label(std::span<const std::string> labels) {
    const auto first = base::parse_double(labels[0]);
    const auto second = base::parse_double(labels[1]);
    return first && second && *second > *first ? 1 : 0;
}

}  // namespace treeline::polynomial
