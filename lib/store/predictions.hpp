#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/names.hpp"

namespace treeline::store {

enum class PredictionFormat { kTsv, kArrow };

inline constexpr base::NameTable<PredictionFormat, 2> kPredictionFormatNames{{
    {PredictionFormat::kTsv, "tsv"},
    {PredictionFormat::kArrow, "arrow"},
}};

/// What predictions tell about an example besides its labels.
struct PredictionColumns {
    /// The classes as the model lists them; of two the positive one first.
    std::vector<std::string> classes;
    /// Decision values an example: one a class, or a single one for two classes, positive for the first.
    std::size_t values = 0;
    bool probabilities = false;  ///< then one a class follows
};

/// The decision on one example.
struct Prediction {
    std::uint64_t example = 0;  ///< its number, from 0 over the records of the input
    std::string_view gold;      ///< empty where it is not known
    std::string_view predicted;
    std::span<const double> values;
    std::span<const double> probabilities;
};

/// Names of the columns: example, gold, predicted, then `value:CLASS` for every decision value and
/// `probability:CLASS` for every probability.
[[nodiscard]] std::vector<std::string> prediction_columns(const PredictionColumns& columns);

/// Some predictions in the making, for one thread; they are written together and in their order.
class PredictionBatch {
  public:
    PredictionBatch() = default;
    explicit PredictionBatch(PredictionFormat format) : format_(format) {}
    void add(const Prediction& prediction);

  private:
    friend class PredictionWriter;
    PredictionFormat format_ = PredictionFormat::kTsv;
    std::string text_;  // lines of the table, or of Arrow the gold and predicted labels one after another
    std::vector<std::uint64_t> examples_;
    std::vector<std::uint32_t> ends_;  // of the labels in text_
    std::vector<double> numbers_;      // example by example
};

/// The file of predictions that every classifying stage writes, whole or not at all: a table of tab-separated text
/// with a heading (tabs and line ends in labels become spaces), or an Arrow IPC file of the same columns
/// (example: uint64, gold and predicted: utf8, gold null where it is not known, the others: float64).
/// Not thread-safe.
class PredictionWriter {
  public:
    /// `-` is stdout.
    PredictionWriter(const std::string& path, PredictionFormat format, const PredictionColumns& columns);
    ~PredictionWriter();

    void write(const PredictionBatch& batch);
    void commit();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace treeline::store
