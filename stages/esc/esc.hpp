#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/names.hpp"
#include "base/progress.hpp"
#include "common/options.hpp"
#include "store/predictions.hpp"

namespace treeline::esc {

enum class Format {
    kAuto,  ///< tab-separated predictions, explanations as text
    kTsv,
    kArrow,
    kText,
    kJson,
    kHtml
};

inline constexpr base::NameTable<Format, 6> kFormatNames{{
    {Format::kAuto, "auto"},
    {Format::kTsv, "tsv"},
    {Format::kArrow, "arrow"},
    {Format::kText, "text"},
    {Format::kJson, "json"},
    {Format::kHtml, "html"},
}};

/// Explicit space classification.
struct Options {
    stage::CommonOptions common;
    std::string model;
    std::string input;       ///< vectors,
    std::string dictionary;  ///< or a dictionary
    std::string trees;       ///< and examples
    std::string output = "-";
    std::string metrics;  ///< file for metrics.json; empty = none
    bool probabilities = false;
    std::size_t explain = 0;  ///< fragments to name an example; 0 = predictions only
    Format format = Format::kAuto;
    std::string label_until;  ///< labels of --trees end before this text; empty = whole labels
    std::uint64_t limit = 0;  ///< examples of --trees to read; 0 = all
};

/// Formats of predictions, as opposed to those of explanations.
[[nodiscard]] inline bool is_table(Format format) {
    return format == Format::kTsv || format == Format::kArrow;
}
[[nodiscard]] inline store::PredictionFormat prediction_format(Format format) {
    return format == Format::kArrow ? store::PredictionFormat::kArrow : store::PredictionFormat::kTsv;
}

/// Throws UsageError.
void validate(const Options& options);

[[nodiscard]] stage::Summary run(const Options& options, base::ProgressObserver& progress);

}  // namespace treeline::esc
