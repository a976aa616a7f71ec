#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "linear/sparse_problem.hpp"
#include "sparse/column_pool.hpp"
#include "sparse/feature_rows.hpp"

namespace treeline::sparse {

struct LearnerOptions {
    double c = 1;   ///< C, above 0
    double l2 = 0;  ///< factor of ||w||_2^2 / 2, at least 0
    linear::SparseLoss loss = linear::SparseLoss::kSquaredHinge;
    double gap = 1e-4;             ///< enough where primal - dual <= gap * primal; above 0
    std::size_t max_rounds = 500;  ///< of mining
    std::size_t memory = std::numeric_limits<std::size_t>::max();  ///< bytes for columns and fragments found
    std::function<bool()> cancelled = {};                          ///< true ends the work with what there is
};

/// Throws base::UsageError.
void validate(const LearnerOptions& options);

/// A weight that is not 0.
struct ColumnWeight {
    ColumnId column = 0;
    double weight = 0;
};

/// A sparse model of one two-class question and what is proven about it.
struct SparseFit {
    std::vector<ColumnWeight> weights;  ///< ascending by column
    double bias = 0;
    double primal = std::numeric_limits<double>::infinity();
    double dual = 0;           ///< no w and b over the *whole* space have an objective below this
    bool reached = false;      ///< the gap asked for
    bool interrupted = false;  ///< by `cancelled`
    std::size_t rounds = 0;
    std::uint64_t patterns = 0;  ///< fragments looked at in all rounds
    std::size_t support = 0;     ///< rows with a dual variable that is not 0
    double mining_seconds = 0;
    double solving_seconds = 0;
    double column_seconds = 0;

    /// (primal - dual) / primal, the certificate: the optimum over all fragments is not further below.
    [[nodiscard]] double gap() const {
        return !(primal > 0) ? 0 : std::isfinite(primal) ? (primal - dual) / primal : 1;
    }
};

/// Learns
///     minimize ||w||_1 + l2/2 ||w||_2^2 + C sum_i c_i loss(y_i (w.x_i + b))
/// over all fragments of a tree kernel's space (and all flat features) by column generation: solve over the features at
/// work; find, in the whole space, those whose |s_f| = |sum_i y_i theta_i x_if| is above 1, theta being the dual variables of that
/// solution; add the worst, leave out those that have had no weight for some rounds; repeat.
///
/// The certificate. theta with sum_i y_i theta_i = 0, scaled by t so that t |s_f| <= 1 for all f, is a point of the dual
/// (sparse_problem.hpp), so its value is a lower bound for every w and b over all fragments. Pricing says what the largest |s_f| of
/// the whole space is, without having looked at most of it. With l2 > 0 the fragments above 1 need not be scaled down:
/// those listed count with their excess, and t is 1 over a bound for those not listed. All is computed in double precision; what rounding
/// can do to the bound is below 1e-9 of the primal value.
///
/// Several questions about the same rows, or several C, may use one learner one after the other: features found before are at
/// hand. The result does not depend on the number of threads; to its last digits it depends on what was learned before.
class SparseLearner {
  public:
    /// `rows` must outlive it.
    explicit SparseLearner(FeatureRows& rows, base::ProgressObserver& progress = base::silent_observer());

    /// `labels` are +1 and -1, both of them occur; `costs` above 0. Starts from `start` where it is given (of this learner).
    [[nodiscard]] SparseFit fit(std::span<const double> labels, std::span<const double> costs,
                                const LearnerOptions& options, const SparseFit* start = nullptr);

    [[nodiscard]] const ColumnPool& columns() const { return pool_; }

    /// Above so many rows what is learned from every kSampleStride-th of them is the start: most fragments are found there, at little cost.
    static constexpr std::size_t kSampleAbove = 50000;
    static constexpr std::size_t kSampleStride = 8;

  private:
    /// A fit to a sample of the rows, with the numbers of this learner's columns; nothing where there are too few.
    [[nodiscard]] std::optional<SparseFit> sample_fit(std::span<const double> labels,
                                                      std::span<const double> costs,
                                                      const LearnerOptions& options);

    /// A fit for a smaller C, reached over still smaller ones, where C is so large that the solver would be long in finding its way from
    /// weights 0.
    [[nodiscard]] std::optional<SparseFit> fit_smaller_c(const linear::SparseProblem& problem,
                                                         const LearnerOptions& options);

    FeatureRows* rows_;
    base::ProgressObserver* progress_;
    ColumnPool pool_;
    std::unique_ptr<FeatureRows> sample_rows_;
    std::unique_ptr<SparseLearner> sample_;
};

}  // namespace treeline::sparse
