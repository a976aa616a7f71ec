#include "ksc/ksc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "classify/kernel_classifier.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "common/telling.hpp"
#include "evaluate/metrics.hpp"
#include "example/class_set.hpp"
#include "store/model_list.hpp"
#include "store/predictions.hpp"

namespace treeline::ksc {

namespace {

class Classification {
  public:
    Classification(const Options& options, base::ProgressObserver& progress)
        : options_(options), progress_(progress) {}

    stage::Summary run() {
        (void)store::list_models(options_.model);  // throws where one is missing
        stage::Values values{{"label-until", options_.label_until},
                             {"limit", stage::value_of(options_.limit)},
                             {"format", stage::value_of(store::kPredictionFormatNames, options_.format)}};
        stage::Outputs outputs(
            stage::plan_work("ksc", std::move(values), options_.common, {options_.model, options_.input}),
            {{options_.output, {}}, {options_.metrics, "metrics"}}, options_.common, progress_);
        if (!outputs.begin()) {
            return {};
        }
        read_models();
        const auto read = read_input();
        require_memory();
        decisions_ = classifier_->classify(targets_, progress_);
        const bool labelled = write_predictions();
        if (labelled) {
            report_metrics();
        } else if (!options_.metrics.empty()) {
            throw base::UsageError("the examples have no labels; there is nothing to measure with --metrics");
        }
        outputs.record({{"examples", stage::value_of(targets_.size())}});
        return {.in = read.records(), .out = targets_.size(), .skipped = read.bad.skipped()};
    }

  private:
    void read_models() { classifier_.emplace(classify::KernelClassifier::read(options_.model, progress_)); }

    example::ReadReport read_input() {
        const std::size_t first = classifier_->examples().size();
        const auto report =
            stage::read_examples(options_.input, options_.limit, stage::Labels::kOptional, options_.common,
                                 classifier_->forest(), classifier_->examples(), progress_);
        targets_.resize(classifier_->examples().size() - first);
        std::iota(targets_.begin(), targets_.end(), static_cast<std::uint32_t>(first));
        return report;
    }

    /// What classification needs besides the examples: values, and the blocks under work.
    void require_memory() const {
        const std::uint64_t needed = base::peak_memory() + classifier_->bytes_needed(targets_.size());
        if (options_.common.memory < needed) {
            throw base::UsageError(fmt::format(
                "--memory {} is too little for these {} examples; give at least {}",
                base::format_size(options_.common.memory), targets_.size(), base::format_size(needed)));
        }
    }

    [[nodiscard]] std::string_view label(std::size_t k) const {
        return classifier_->examples().label_text(targets_[k]);
    }

    /// True if the examples have labels, which are then counted.
    bool write_predictions() {
        bool labelled = !targets_.empty();
        std::optional<store::PredictionWriter> file;
        if (!options_.output.empty()) {
            file.emplace(options_.output, options_.format,
                         store::PredictionColumns{.classes = classifier_->labels(),
                                                  .values = classifier_->classes().size()});
        }
        constexpr std::size_t kBatch = 8192;
        store::PredictionBatch batch(options_.format);
        for (std::size_t k = 0; k < targets_.size(); ++k) {
            const std::string& predicted = classifier_->label_of(decisions_.row(k));
            const auto gold = classifier_->gold_label(example::cut_label(label(k), options_.label_until));
            const bool known = !label(k).empty();
            labelled = labelled && known;
            metrics_.add(gold, predicted);
            batch.add({k, known ? gold : std::string_view(), predicted, decisions_.row(k), {}});
            if ((k + 1) % kBatch == 0 || k + 1 == targets_.size()) {
                if (file) {
                    file->write(batch);
                }
                batch = store::PredictionBatch(options_.format);
            }
        }
        if (file) {
            file->commit();
        }
        return labelled;
    }

    void report_metrics() {
        stage::tell_metrics(metrics_, classifier_->labels(), progress_);
        if (!options_.metrics.empty()) {
            base::write_whole_file(options_.metrics, to_json(metrics_));
        }
    }

    const Options& options_;
    base::ProgressObserver& progress_;
    std::optional<classify::KernelClassifier> classifier_;  // the examples come after its support vectors
    std::vector<std::uint32_t> targets_;
    classify::Decisions decisions_;
    evaluate::Metrics metrics_;
};

}  // namespace

void validate(const Options& options) {
    if (options.model == "-" && options.input == "-") {
        throw base::UsageError("--model and --input cannot both be stdin");
    }
    if (options.format == store::PredictionFormat::kArrow && options.output == "-") {
        throw base::UsageError("--format arrow needs an --output that is a file");
    }
}

stage::Summary run(const Options& options, base::ProgressObserver& progress) {
    validate(options);
    return Classification(options, progress).run();
}

}  // namespace treeline::ksc
