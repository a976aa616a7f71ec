#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "polynomial/margin_method.hpp"
#include "polynomial/packed_rows.hpp"
#include "polynomial/partial_margin_trie.hpp"
#include "polynomial/polynomial_kernel.hpp"
#include "polynomial/support_entries.hpp"
#include "polynomial/weight_trie.hpp"

namespace treeline::polynomial {

/// Margins feature by feature, from frequent to rare (Yoshinaga & Kitsuregawa 2010, Eq. 3): what a feature
/// adds is summed over explicit weights (Eq. 5) or over the support vectors that have the feature (Eq. 4, Eq.
/// 6).
///
/// Kernel expansion makes every feature explicit and kernel splitting the most frequent ones, from the start.
/// Kernel slicing makes a feature explicit once the time lost by not having its weights exceeds the time to
/// build them; with one output it also reuses partial margins and stops early (Eqs. 7 to 9). For more outputs
/// a partial margin is a vector, which costs more to keep than to compute.
template <typename Trie>
class SlicedMargins : public MarginMethod {
  public:
    SlicedMargins(const BinaryDataset& data, std::size_t outputs, const MarginOptions& options);

    void margins(std::uint32_t row, std::span<double> out, const EnoughMargin* enough) override;
    std::uint32_t update(std::uint32_t row, std::span<const OutputChange> changes) override;
    [[nodiscard]] MarginStatistics statistics() const override;

  private:
    /// What is known of a feature that support vectors have.
    struct FeatureState {
        std::vector<std::uint32_t> postings;  ///< its entries; empty where nothing needs them
        double positive = 0;                  ///< sum of the positive coefficients of these support vectors
        double negative = 0;
        float debt = 0;  ///< look-ups lost by not being explicit
    };

    [[nodiscard]] bool tracked(std::uint32_t feature) const { return feature >= first_tracked_; }
    /// A state without anything for features that have none.
    [[nodiscard]] FeatureState& state(std::uint32_t feature) { return states_[state_of_[feature]]; }
    FeatureState& make_state(std::uint32_t feature);
    void add_debt(std::uint32_t feature, std::size_t position, std::size_t entries);
    void add_partial_margin(std::uint32_t row, std::size_t position, double* out);
    void make_explicit(std::uint32_t feature);
    void collect_postings(std::uint32_t begin, std::uint32_t end);
    void keep_to_memory();
    void bound_remainders(std::span<const std::uint32_t> features, double sign);
    [[nodiscard]] double lookups(std::size_t position) const;

    RowView rows_;
    PackedRows packed_;
    MarginOptions options_;
    PolynomialKernel kernel_;
    Trie weights_;
    bool sliced_;  ///< kernel slicing, as opposed to expansion and splitting
    bool reuse_;
    std::uint32_t limit_;          ///< features below may be explicit
    std::uint32_t first_tracked_;  ///< features from here on have partial margins
    SupportEntries entries_;
    std::vector<std::uint32_t> state_of_;  ///< per feature; 0 for those that have none
    std::vector<FeatureState> states_;     ///< the first belongs to no feature
    PartialMarginTrie partial_;
    std::vector<double> remainders_;  ///< by position, least that the features from there on can add
    RowQuery query_;
    ConjunctionNumbers numbers_;
    MarginStatistics statistics_;
};

extern template class SlicedMargins<ScalarWeightTrie>;
extern template class SlicedMargins<VectorWeightTrie>;

}  // namespace treeline::polynomial
