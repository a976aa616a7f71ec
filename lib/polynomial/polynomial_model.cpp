#include "polynomial/polynomial_model.hpp"

#include <algorithm>

namespace treeline::polynomial {

std::size_t PolynomialModel::longest_row() const {
    std::size_t longest = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        longest = std::max(longest, rows().row(i).size());
    }
    return longest;
}

}  // namespace treeline::polynomial
