#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/progress.hpp"
#include "example/binary_example.hpp"
#include "polynomial/feature_ranking.hpp"

namespace treeline::polynomial {

/// Examples with binary features, kept as ranks of the features.
struct BinaryDataset {
    FeatureRanking ranking;
    std::vector<std::string> labels;        ///< distinct, in order of first sight
    std::vector<std::uint32_t> label_of;    ///< per example, an index of `labels`
    std::vector<std::uint64_t> offsets{0};  ///< example i has features[offsets[i]..offsets[i + 1])
    std::vector<std::uint32_t> features;    ///< ranks, ascending in an example: frequent features first
    base::BadRecords bad{};                 ///< examples that were passed over
    std::string dictionary;                 ///< digest of the one that numbers the features, if any

    [[nodiscard]] std::size_t size() const { return label_of.size(); }
    [[nodiscard]] std::span<const std::uint32_t> row(std::size_t example) const {
        return std::span(features).subspan(offsets[example], offsets[example + 1] - offsets[example]);
    }
    /// Of the longest row.
    [[nodiscard]] std::size_t longest_row() const;
    /// Number of examples with the feature, by rank.
    [[nodiscard]] std::vector<std::uint32_t> frequencies() const;
};

/// Collects examples from any source; finish() ranks their features.
class BinaryDatasetBuilder {
  public:
    /// `features` are distinct. At most 2^32 - 2 examples.
    void add(std::string_view label, std::span<const std::uint64_t> features);
    [[nodiscard]] BinaryDataset finish();

  private:
    BinaryDataset data_;
    FeatureNumbers numbers_;
    std::vector<std::uint64_t> index_of_number_;
    std::unordered_map<std::string, std::uint32_t> label_numbers_;
};

/// Reads the source to its end.
[[nodiscard]] BinaryDataset read_binary_dataset(example::BinaryExampleSource& source,
                                                base::ProgressObserver& observer = base::silent_observer());
/// Text, see BinaryExampleReader.
[[nodiscard]] BinaryDataset read_binary_dataset(const std::string& path,
                                                const example::BinaryReadOptions& options);

/// The ranks of `features` that `ranking` knows, ascending.
void rank_features(std::span<const std::uint64_t> features, const FeatureRanking& ranking,
                   std::vector<std::uint32_t>& ranks);

}  // namespace treeline::polynomial
