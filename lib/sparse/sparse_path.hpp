#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "evaluate/splits.hpp"
#include "sparse/feature_rows.hpp"
#include "sparse/held_out.hpp"
#include "sparse/sparse_learner.hpp"

namespace treeline::sparse {

/// Models of the same questions for one C.
struct PathStep {
    double c = 0;
    std::vector<SparseFit> fits;    ///< one a question
    std::size_t features = 0;       ///< with a weight in any of them
    std::optional<double> quality;  ///< on rows held out, in percent

    [[nodiscard]] double primal() const;  ///< sum over the questions
    [[nodiscard]] double gap() const;     ///< the largest
    [[nodiscard]] bool reached() const;   ///< all of them
    [[nodiscard]] bool interrupted() const;
};

/// Learns all questions about some rows for one C after the other, each from the models of the C before.
class PathLearner {
  public:
    /// Costs of rows of a question's positive class count `cost_factor` times. `rows` and `classes` must outlive it.
    PathLearner(FeatureRows& rows, const QuestionClasses& classes, double cost_factor,
                const LearnerOptions& options, base::ProgressObserver& progress = base::silent_observer());

    /// The C up to which no feature has a weight in any question: at weights 0 and the best bias theta is proportional to C, so it is
    /// 1 over the largest |s_f| that the whole space has at C = 1. Infinity where no feature tells the classes apart.
    [[nodiscard]] double first_cost();

    /// C should grow from call to call. A class that the rows have no example of, or nothing else, gets no features.
    [[nodiscard]] PathStep learn(double c);

    /// LearnerOptions::cancelled says so.
    [[nodiscard]] bool cancelled() const { return options_.cancelled && options_.cancelled(); }

    [[nodiscard]] const ColumnPool& columns() const { return learner_.columns(); }

  private:
    FeatureRows* rows_;
    LearnerOptions options_;
    SparseLearner learner_;
    std::vector<std::vector<double>> labels_;  // by question
    std::vector<std::vector<double>> costs_;
    std::vector<SparseFit> last_;
};

/// `count` values in equal ratios from just above `first` to `last`; only the first if `last` is not larger.
[[nodiscard]] std::vector<double> geometric_path(double first, double last, std::size_t count);

/// What cross-validation says of some C.
struct CrossValidation {
    std::size_t folds = 5;   ///< at least 2
    std::uint64_t seed = 1;  ///< deals the examples into folds
    evaluate::Splitting splitting = evaluate::Splitting::kStratified;
};

/// True where a search along `path`, ascending, may end, `qualities` being those of its first values: at least the two after the best and all up to three
/// times its C are worse. Up to eight times where one is as good, or C is below a hundred times the first: models of small C change in
/// jumps and cost little. Never before one is better than the first: they may all say the same.
[[nodiscard]] bool is_past_best(std::span<const double> path, std::span<const double> qualities);

/// The C where `qualities` of the first values of a path are best: the top of the parabola through the best and its neighbours over
/// log C, as single examples decide between neighbours; the best itself (the smallest of equals) at either end.
[[nodiscard]] double best_cost(std::span<const double> path, std::span<const double> qualities);

/// The quality of each C of an ascending `path` (of a prefix of it: see is_past_best) over the folds, each example judged by models that
/// were learned without it, to the gap asked for: rough ones change the choice. Where the work is cancelled, those of the C finished before. Folds are learned in parallel. `members` has the class of each example of the set.
[[nodiscard]] std::vector<double> cross_validate(
    const tree::Forest& forest, const example::ExampleSet& examples, std::span<const std::uint32_t> members,
    const kernel::TreeKernel& kernel, fragment::FlatFeatures vectors, const QuestionClasses& classes,
    double cost_factor, const LearnerOptions& options, std::span<const double> path,
    const CrossValidation& how, base::ProgressObserver& progress = base::silent_observer());

}  // namespace treeline::sparse
