#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "classify/explanation.hpp"
#include "esc/esc.hpp"
#include "evaluate/metrics.hpp"
#include "linear/linear_model.hpp"

namespace treeline::esc {

/// What came out for a batch of examples: the text to write, and gold and predicted classes to count.
struct Scored {
    std::string text;
    struct Outcome {
        std::string gold;
        std::uint32_t predicted;
    };
    std::vector<Outcome> outcomes;
};

/// Scores rows and writes them as the options say. Not thread-safe, one per thread; what it is given must
/// outlive it.
class Scorer {
  public:
    Scorer(const Options& options, const linear::LinearModel& model, const classify::FeatureCatalog& features,
           const store::Dictionary* dictionary)
        : options_(&options),
          model_(&model),
          features_(&features),
          dictionary_(dictionary),
          decisions_(model.columns()) {}

    /// `example` is null where only its vector is known.
    void score(std::uint64_t id, std::string_view gold, const linear::SparseRow& row,
               const example::Example* example, Scored& out);

  private:
    const Options* options_;
    const linear::LinearModel* model_;
    const classify::FeatureCatalog* features_;
    const store::Dictionary* dictionary_;
    std::vector<double> decisions_;
};

}  // namespace treeline::esc
