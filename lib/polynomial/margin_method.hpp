#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/names.hpp"
#include "polynomial/binary_dataset.hpp"
#include "polynomial/output_change.hpp"

namespace treeline::polynomial {

/// How margins are computed; every method gives the same values up to rounding.
enum class MarginKind {
    kInverted,  ///< PKI: the kernel, with an index from features to support vectors
    kExpanded,  ///< KE: explicit weights of all conjunctions
    kSplit,     ///< SP: explicit weights among the N most frequent features, the kernel for the rest
    kSliced,    ///< SL: splitting feature by feature, with reuse of partial margins and early termination
};

inline constexpr base::NameTable<MarginKind, 4> kMarginNames{{
    {MarginKind::kInverted, "pki"},
    {MarginKind::kExpanded, "ke"},
    {MarginKind::kSplit, "sp"},
    {MarginKind::kSliced, "sl"},
}};

struct MarginOptions {
    unsigned degree = 2;  ///< of the kernel, 1..4
    MarginKind kind = MarginKind::kSliced;
    /// Features of rank below this may be roots of explicit conjunctions; 0 = as many as `memory` allows: all
    /// at first, half as many whenever it is exceeded. PKI and KE take no notice.
    std::uint64_t explicit_features = 0;
    /// Bytes for explicit weights.
    std::uint64_t memory = std::uint64_t{1} << 30;
};

/// A margin beyond which the caller does not care about its exact value: sign * margin > threshold.
struct EnoughMargin {
    double sign = 1;
    double threshold = 0;
};

struct MarginStatistics {
    std::uint64_t explicit_features = 0;  ///< limit of ranks at the end
    std::uint64_t explicit_bytes = 0;     ///< of the weight trie
    std::uint64_t partial_margins = 0;    ///< nodes of the partial-margin trie
    std::uint64_t terminated = 0;         ///< margins that were left early
    std::uint64_t reused = 0;             ///< partial margins brought up to date
};

/// The margins sum_i alpha_i k(s_i, x) of the rows of a training set under a support set that grows.
/// Not thread-safe.
class MarginMethod {
  public:
    virtual ~MarginMethod() = default;

    /// Writes the margins of row `row` for every output. With one output and `enough`, a value beyond
    /// `enough` may differ from the margin, which then also lies beyond.
    virtual void margins(std::uint32_t row, std::span<double> out, const EnoughMargin* enough) = 0;
    /// Adds `changes` to the coefficients of row `row`. Gives the number of this support vector: they are
    /// numbered in the order of their first updates.
    virtual std::uint32_t update(std::uint32_t row, std::span<const OutputChange> changes) = 0;
    [[nodiscard]] virtual MarginStatistics statistics() const = 0;
};

/// `data` must outlive the method.
[[nodiscard]] std::unique_ptr<MarginMethod> make_margin_method(const BinaryDataset& data, std::size_t outputs,
                                                               const MarginOptions& options);

}  // namespace treeline::polynomial
