#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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
    kHtml,
    kSite,
    kSvg
};

inline constexpr base::NameTable<Format, 8> kFormatNames{{
    {Format::kAuto, "auto"},
    {Format::kTsv, "tsv"},
    {Format::kArrow, "arrow"},
    {Format::kText, "text"},
    {Format::kJson, "json"},
    {Format::kHtml, "html"},
    {Format::kSite, "site"},
    {Format::kSvg, "svg"},
}};

enum class Order {
    kInput,
    kErrors  ///< by how far the gold class is ahead: the worst errors first, the surest hits last
};

inline constexpr base::NameTable<Order, 2> kOrderNames{{
    {Order::kInput, "input"},
    {Order::kErrors, "errors"},
}};

/// Which examples are explained, and in which order.
struct Selection {
    bool errors = false;             ///< only those whose label is not the gold one
    std::string gold;                ///< only those of this class; empty = any
    std::string predicted;           ///< only those given this class; empty = any
    std::vector<std::uint64_t> ids;  ///< only these; empty = any
    std::optional<double> margin;    ///< only those where the predicted class is ahead by at most this
    Order order = Order::kInput;
    std::size_t count = 0;  ///< at most so many; 0 = all

    bool operator==(const Selection&) const = default;
};

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
    Selection selection;
    std::string label_until;  ///< labels of --trees end before this text; empty = whole labels
    std::uint64_t limit = 0;  ///< examples of --trees to read; 0 = all
};

/// Formats whose output is a folder.
[[nodiscard]] inline bool is_folder(Format format) {
    return format == Format::kSite || format == Format::kSvg;
}
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
