#pragma once

#include <vector>

#include "polynomial/margin_method.hpp"
#include "polynomial/packed_rows.hpp"
#include "polynomial/polynomial_kernel.hpp"
#include "polynomial/support_entries.hpp"

namespace treeline::polynomial {

/// Polynomial kernel inverted (Kudo & Matsumoto 2003): counts the features that each support vector shares
/// with a row along the inverted index of the row's features.
class InvertedMargins : public MarginMethod {
  public:
    InvertedMargins(const BinaryDataset& data, std::size_t outputs, unsigned degree);

    void margins(std::uint32_t row, std::span<double> out, const EnoughMargin* enough) override;
    std::uint32_t update(std::uint32_t row, std::span<const OutputChange> changes) override;
    [[nodiscard]] MarginStatistics statistics() const override { return {}; }

  private:
    RowView rows_;
    PolynomialKernel kernel_;
    SupportEntries entries_;
    std::vector<std::vector<std::uint32_t>> index_;  ///< per feature, ascending entries
    std::vector<std::uint32_t> shared_;              ///< per entry; zero between calls
    std::vector<std::uint32_t> touched_;
};

}  // namespace treeline::polynomial
