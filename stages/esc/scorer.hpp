#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classify/explanation.hpp"
#include "classify/tree_classifier.hpp"
#include "esc/esc.hpp"
#include "evaluate/metrics.hpp"
#include "linear/linear_model.hpp"
#include "store/predictions.hpp"

namespace treeline::esc {

/// What came out for a batch of examples: predictions or the text of explanations, and gold and predicted classes to
/// count.
struct Scored {
    store::PredictionBatch predictions;
    std::string text;
    struct Outcome {
        std::string gold;
        std::uint32_t predicted;
    };
    std::vector<Outcome> outcomes;
};

/// Scores examples and writes them as the options say. Not thread-safe, one per thread; what it is given must
/// outlive it.
class Scorer {
  public:
    /// Of vectors.
    Scorer(const Options& options, const linear::LinearModel& model, const classify::FeatureCatalog& features)
        : options_(&options), model_(&model), features_(&features), decisions_(model.columns()) {}
    /// Of trees.
    Scorer(const Options& options, const classify::TreeClassifier& classifier)
        : Scorer(options, classifier.model(), classifier.features()) {
        worker_ = std::make_unique<classify::TreeClassifier::Worker>(classifier);
    }

    void score(std::uint64_t id, std::string_view gold, const linear::SparseRow& row, Scored& out);
    void score(std::uint64_t id, std::string_view gold, const example::Example& example, Scored& out);

  private:
    void add_outcome(std::string_view gold, std::size_t predicted, Scored& out) const;
    void add_prediction(std::uint64_t id, std::string_view gold, std::size_t predicted,
                        std::span<const double> decisions, Scored& out) const;
    void add_explanation(std::uint64_t id, std::string_view gold, classify::Explanation explanation,
                         Scored& out) const;

    const Options* options_;
    const linear::LinearModel* model_;
    const classify::FeatureCatalog* features_;
    std::unique_ptr<classify::TreeClassifier::Worker> worker_;
    std::vector<double> decisions_;
};

}  // namespace treeline::esc
