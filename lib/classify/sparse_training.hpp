#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "example/classes.hpp"
#include "example/example_set.hpp"
#include "fragment/vectorizer.hpp"
#include "kernel/description.hpp"
#include "sparse/class_bias.hpp"
#include "sparse/feature_rows.hpp"
#include "sparse/path_search.hpp"
#include "sparse/sparse_learner.hpp"
#include "sparse/sparse_model.hpp"
#include "tree/forest.hpp"

namespace treeline::classify {

struct SparseOptions {
    kernel::TreeKernel kernel;
    fragment::FlatFeatures vectors = fragment::FlatFeatures::kUnit;
    double cost_factor = 1;   ///< errors on positive examples cost so many times more
    std::string label_until;  ///< see example::ClassOptions
    sparse::ClassBias class_bias = sparse::ClassBias::kUnseen;  ///< of more than two classes
    sparse::PathOptions path;  ///< which C, where not only that of the learner
};

/// Learns a sparse model over all fragments of a kernel's space for all classes of some examples: for one C, or along a
/// path of them. Everything it is given must outlive it. Not thread-safe; parallel inside, with the same result for any number of
/// threads.
class SparseTraining {
  public:
    /// Throws base::DataError where there are fewer than two classes.
    SparseTraining(const tree::Forest& forest, const example::ExampleSet& examples,
                   const SparseOptions& options);

    /// Hears of the fit of each question as it is there.
    using Done = std::function<void(const example::ClassQuestion&, const sparse::SparseFit&)>;
    /// For the C of `learner` or, where the options ask for a path, the one that is chosen: by `dev`, examples over the
    /// same forest, where there are any. Where learner.cancelled asks for it, what there is is kept; throws base::Error
    /// where that is nothing.
    void learn(const sparse::LearnerOptions& learner, const example::ExampleSet* dev,
               base::ProgressObserver& progress, const Done& done = {});

    [[nodiscard]] const example::Classes& classes() const { return classes_; }
    [[nodiscard]] const sparse::FeatureRows& rows() const { return rows_; }
    [[nodiscard]] const sparse::ColumnPool& columns() const { return *columns_; }
    /// One a question.
    [[nodiscard]] std::span<const sparse::SparseFit> fits() const { return fits_; }
    /// Without steps where there was no path: none was asked for, or no C gives a feature a weight.
    [[nodiscard]] const sparse::Path& path() const { return path_; }
    /// Whether it was cancelled.
    [[nodiscard]] bool interrupted() const;
    /// Positive class of each question.
    [[nodiscard]] std::vector<std::string> positives() const;
    [[nodiscard]] sparse::SparseModel model(linear::SparseLoss loss) const;

  private:
    void learn_one(const sparse::LearnerOptions& learner, base::ProgressObserver& progress, const Done& done);
    /// From C = `first` on.
    void learn_path(const sparse::LearnerOptions& learner, double first, const example::ExampleSet* dev,
                    base::ProgressObserver& progress);
    [[nodiscard]] sparse::FeatureRows rows_of(const example::ExampleSet& dev) const;

    const tree::Forest& forest_;
    const example::ExampleSet& examples_;
    SparseOptions options_;
    example::Classes classes_;
    sparse::QuestionClasses numbers_;
    sparse::FeatureRows rows_;
    std::optional<sparse::SparseLearner> learner_;
    std::optional<sparse::PathLearner> path_learner_;
    const sparse::ColumnPool* columns_ = nullptr;  // of the one that was used
    sparse::Path path_;
    std::vector<sparse::SparseFit> fits_;
};

}  // namespace treeline::classify
