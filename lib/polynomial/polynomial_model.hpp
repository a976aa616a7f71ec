#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "polynomial/feature_ranking.hpp"
#include "polynomial/packed_rows.hpp"

namespace treeline::polynomial {

/// A support set with coefficients under the kernel (x.y + 1)^degree.
struct PolynomialModel {
    unsigned degree = 2;
    /// Two labels: one output, and a positive margin means labels[0]. More: output i belongs to labels[i],
    /// the largest margin wins.
    std::vector<std::string> labels;
    /// Not empty: labels are this label of the data and the name of all others, example::rest_of().
    std::string positive;
    /// Digest of the dictionary that numbers the features; empty where none is known.
    std::string dictionary;
    FeatureRanking ranking;
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> features;  ///< ranks, ascending in a row
    std::vector<double> coefficients;     ///< per support vector, one for each output

    [[nodiscard]] std::size_t outputs() const { return labels.size() == 2 ? 1 : labels.size(); }
    [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
    [[nodiscard]] RowView rows() const { return {offsets, features}; }
    [[nodiscard]] std::size_t longest_row() const;
};

}  // namespace treeline::polynomial
