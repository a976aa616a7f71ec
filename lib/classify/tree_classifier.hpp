#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "classify/decisions.hpp"
#include "classify/explanation.hpp"
#include "classify/tree_space.hpp"
#include "example/decision.hpp"
#include "store/linear_model.hpp"

namespace treeline::classify {

/// Classifies trees by a linear model over the fragments of a dictionary, and says why. Immutable; thread-safe.
class TreeClassifier {
  public:
    /// Refers to nothing outside. Throws InputError where the model was made with another dictionary, or does
    /// not say how its vectors were made; `model_path` is what the message names.
    TreeClassifier(store::Dictionary dictionary, store::LinearModelFile model,
                   const std::string& model_path = "the model",
                   base::ProgressObserver& observer = base::silent_observer());
    [[nodiscard]] static TreeClassifier read(const std::string& dictionary_path,
                                             const std::string& model_path,
                                             base::ProgressObserver& observer = base::silent_observer());

    [[nodiscard]] const linear::LinearModel& model() const { return parts_->file.model; }
    [[nodiscard]] const std::vector<std::string>& labels() const { return model().labels; }
    [[nodiscard]] const store::Dictionary& dictionary() const { return parts_->dictionary; }
    [[nodiscard]] const TreeSpace& space() const { return parts_->space; }
    [[nodiscard]] const FeatureCatalog& features() const { return parts_->features; }

    /// Works on examples one by one; one a thread. Refers to the classifier's parts, which stay where they are
    /// even if it is moved, and must not outlive them. Results are valid until the next call.
    class Worker {
      public:
        explicit Worker(const TreeClassifier& classifier,
                        std::size_t cache_bytes = fragment::Matcher::kCacheBytes);
        [[nodiscard]] linear::SparseRow vectorize(const example::Example& example);
        /// The number of the label given to the example.
        [[nodiscard]] std::size_t classify(const example::Example& example);
        /// Of the example classified last.
        [[nodiscard]] std::span<const double> decisions() const { return decisions_; }
        [[nodiscard]] linear::SparseRow row() const { return {indices_, values_}; }
        /// One probability a label, of the example classified last; for logistic models.
        [[nodiscard]] std::vector<double> probabilities() const;
        /// Why the example classified last got its label, and not the gold one where it is known: the `count` largest
        /// contributions, and where they are in its trees.
        [[nodiscard]] Explanation explain(const example::Example& example, std::size_t count,
                                          std::string_view gold = {}) const;

      private:
        const linear::LinearModel* model_;
        const store::Dictionary* dictionary_;
        const FeatureCatalog* features_;
        fragment::Vectorizer vectorizer_;
        std::vector<std::uint32_t> indices_;
        std::vector<float> values_;
        std::vector<double> decisions_;
        std::size_t predicted_ = 0;
    };

    /// Decision values of all examples of a set whose trees are in `forest`. Parallel; the same for any number
    /// of threads.
    [[nodiscard]] Decisions classify(const example::ExampleSet& examples, const tree::Forest& forest) const;
    [[nodiscard]] const std::string& label_of(std::span<const double> decisions) const {
        return labels()[example::decide(decisions)];
    }
    /// Why example `number` of a set gets its label.
    [[nodiscard]] Explanation explain(const example::ExampleSet& examples, const tree::Forest& forest,
                                      std::size_t number, std::size_t count) const;

  private:
    struct Parts {
        Parts(store::Dictionary given_dictionary, store::LinearModelFile given_file,
              const std::string& model_path, base::ProgressObserver& observer);
        store::Dictionary dictionary;
        store::LinearModelFile file;
        TreeSpace space;
        FeatureCatalog features;
    };
    std::unique_ptr<const Parts> parts_;
};

}  // namespace treeline::classify
