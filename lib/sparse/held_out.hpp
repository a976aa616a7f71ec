#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evaluate/metrics.hpp"
#include "sparse/column_pool.hpp"
#include "sparse/feature_rows.hpp"
#include "sparse/sparse_learner.hpp"

namespace treeline::sparse {

/// The classes that questions are about, by number: the questions' positive classes; of a single question the negative one too.
struct QuestionClasses {
    std::vector<std::string> names;        ///< by number
    std::vector<std::uint32_t> positives;  ///< of each question
    std::uint32_t negative = 0;            ///< of a single question
};

/// Judges fits by rows that they were not learned from, of the same forest. Not thread-safe.
class HeldOut {
  public:
    /// `rows` and `classes` must outlive it; classes of the rows at or above the number of names are always wrong.
    HeldOut(const FeatureRows& rows, const QuestionClasses& classes)
        : rows_(&rows), classes_(&classes), pool_(rows) {}

    /// Adds what one fit a question decides for each row, as often as it stands for examples. `learned` has the features of the fits.
    void judge(std::span<const SparseFit> fits, const ColumnPool& learned, evaluate::Metrics& metrics);

  private:
    [[nodiscard]] std::vector<double> decisions(const SparseFit& fit, const ColumnPool& learned);

    const FeatureRows* rows_;
    const QuestionClasses* classes_;
    ColumnPool pool_;
};

/// What is made best, evaluate::Measure::kAuto, in percent.
[[nodiscard]] double quality(const evaluate::Metrics& metrics);
/// "F1" or "accuracy".
[[nodiscard]] std::string quality_name(const QuestionClasses& classes);

}  // namespace treeline::sparse
