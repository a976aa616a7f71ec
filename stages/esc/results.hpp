#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/output.hpp"
#include "classify/explanation_site.hpp"
#include "common/outputs.hpp"
#include "esc/esc.hpp"
#include "esc/scorer.hpp"
#include "evaluate/metrics.hpp"
#include "linear/linear_model.hpp"
#include "store/predictions.hpp"

namespace treeline::esc {

/// Writes results as the options say, and counts them. In the order of the input they are written as they come: on stdout
/// somebody may wait for them in a pipe.
class Results {
  public:
    Results(const Options& options, const linear::LinearModel& model);

    /// In the order of the input.
    void add(Scored&& scored);
    /// Lets the output appear, with its manifest.
    void commit(stage::Outputs& outputs, const stage::Values& counts,
                const classify::FeatureCatalog& features);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] const evaluate::Metrics& metrics() const { return metrics_; }

  private:
    void write(const Explained& one);
    void write(std::string_view text);
    void keep_first();

    const Options* options_;
    const linear::LinearModel* model_;
    std::optional<store::PredictionWriter> predictions_;
    std::optional<base::AtomicFile> file_;
    std::optional<base::AtomicFolder> folder_;
    std::optional<classify::ExplanationSite> site_;
    std::vector<Explained> kept_;  ///< to be sorted
    std::size_t written_ = 0;
    classify::ErrorCauses causes_;
    evaluate::Metrics metrics_;
    std::uint64_t count_ = 0;
};

}  // namespace treeline::esc
