#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classify/explanation_site.hpp"
#include "classify/tree_classifier.hpp"
#include "esc/esc.hpp"
#include "evaluate/metrics.hpp"
#include "linear/linear_model.hpp"
#include "store/predictions.hpp"

namespace treeline::esc {

/// An explanation as it is written, and its place among others.
struct Explained {
    std::uint64_t id = 0;
    double lead = 0;  ///< of the gold class over the best other one, below 0 in errors
    std::string text;
    classify::ExplanationSite::Entry entry{};  ///< of a site
};

/// What came out for a batch of examples: predictions or explanations, and gold and predicted classes to count.
struct Scored {
    store::PredictionBatch predictions;
    std::vector<Explained> explained;
    struct Outcome {
        std::string gold;
        std::uint32_t predicted;
    };
    std::vector<Outcome> outcomes;
    classify::ErrorCauses causes;  ///< for a site
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
    /// `explain` makes the explanation of the example whose decision values these are.
    template <typename Explain>
    void add(std::uint64_t id, std::string_view gold, std::size_t predicted, const linear::SparseRow& row,
             std::span<const double> decisions, Scored& out, Explain&& explain) const;
    [[nodiscard]] bool is_wanted(std::uint64_t id, std::string_view gold, std::string_view predicted,
                                 bool wrong, double margin) const;
    void add_prediction(std::uint64_t id, std::string_view gold, std::size_t predicted,
                        std::span<const double> decisions, Scored& out) const;
    [[nodiscard]] Explained written(const classify::Explanation& explanation) const;

    const Options* options_;
    const linear::LinearModel* model_;
    const classify::FeatureCatalog* features_;
    std::unique_ptr<classify::TreeClassifier::Worker> worker_;
    std::vector<double> decisions_;
};

}  // namespace treeline::esc
