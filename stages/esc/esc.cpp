#include "esc/esc.hpp"

#include <iostream>
#include <optional>

#include "base/error.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "classify/tree_classifier.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "esc/scorer.hpp"
#include "example/class_set.hpp"
#include "example/example_stream.hpp"
#include "store/dictionary.hpp"
#include "store/linear_model.hpp"
#include "store/vectors.hpp"

namespace treeline::esc {

namespace {

/// Writes results in order and counts them. On stdout they are seen at once: somebody may wait for them in a
/// pipe.
class Results {
  public:
    Results(const Options& options, const linear::LinearModel& model) : model_(&model) {
        if (options.explain == 0) {
            predictions_.emplace(options.output, prediction_format(options.format),
                                 store::PredictionColumns{.classes = model.labels,
                                                          .values = model.columns(),
                                                          .probabilities = options.probabilities});
        } else if (options.output != "-") {
            file_.emplace(options.output);
        }
    }

    /// Of explanations.
    void write(std::string_view text) {
        if (file_) {
            file_->write(text);
        } else {
            std::cout << text << std::flush;
        }
    }
    void add(const Scored& scored) {
        if (predictions_) {
            predictions_->write(scored.predictions);
        } else {
            write(scored.text);
        }
        for (const Scored::Outcome& outcome : scored.outcomes) {
            ++count_;
            if (!outcome.gold.empty()) {
                metrics_.add(outcome.gold, model_->labels[outcome.predicted]);
            }
        }
    }
    void commit() {
        if (predictions_) {
            predictions_->commit();
        } else if (file_) {
            file_->commit();
        }
    }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] const evaluate::Metrics& metrics() const { return metrics_; }

  private:
    const linear::LinearModel* model_;
    std::optional<store::PredictionWriter> predictions_;
    std::optional<base::AtomicFile> file_;
    evaluate::Metrics metrics_;
    std::uint64_t count_ = 0;
};

base::Plan plan(const Options& options) {
    std::vector<std::string> inputs{options.model};
    for (const std::string& input : {options.input, options.dictionary, options.trees}) {
        if (!input.empty()) {
            inputs.push_back(input);
        }
    }
    return stage::plan_work("esc",
                            {{"explain", stage::value_of(options.explain)},
                             {"format", std::string(base::name_of(kFormatNames, options.format))},
                             {"probabilities", options.probabilities},
                             {"label-until", options.label_until},
                             {"limit", stage::value_of(options.limit)}},
                            options.common, inputs);
}

void score_vectors(const Options& options, const store::LinearModelFile& file,
                   const classify::FeatureCatalog& features, Results& results,
                   base::ProgressObserver& progress) {
    const std::vector<store::VectorsFile> files = store::open_vectors(options.input);
    if (!file.info.dictionary.empty()) {
        classify::require_same_dictionary(options.input, file.info.dictionary,
                                          files.front().info().dictionary);
        if (!file.info.same_space(files.front().info())) {
            throw base::InputError({options.input},
                                   "vectors made with another norm or other features than the model's");
        }
    }
    Scorer scorer(options, file.model, features);
    store::VectorsReader reader(files);
    store::VectorRow row;
    Scored scored;
    progress.start("examples", 0);
    while (reader.next(row)) {
        scorer.score(row.id, row.label, linear::SparseRow{row.indices, row.values}, scored);
        if (scored.outcomes.size() == 4096) {
            results.add(scored);
            scored = {};
            progress.update(results.count());
        }
    }
    results.add(scored);
    progress.finish();
}

std::uint64_t score_trees(const Options& options, const classify::TreeClassifier& classifier,
                          Results& results, base::ProgressObserver& progress) {
    struct Worker {
        Scorer scorer;
        std::string_view label_until;

        void operator()(const example::Example& example, std::uint64_t number, Scored& out) {
            scorer.score(number, example::cut_label(example.label, label_until), example, out);
        }
    };
    example::ExampleStreamOptions stream;
    stream.reader.records = {.on_error = options.common.on_error, .limit = options.limit};
    progress.start("trees", 0);
    const example::ReadReport report = example::stream_examples<Scored>(
        options.trees, stream,
        [&] {
            return Worker{.scorer = {options, classifier}, .label_until = options.label_until};
        },
        [&](const Scored& scored) {
            results.add(scored);
            progress.update(results.count());
        });
    progress.finish();
    stage::tell_skipped(report.bad, progress);
    return report.bad.skipped();
}

}  // namespace

void validate(const Options& options) {
    if (options.input.empty() == options.trees.empty()) {
        throw base::UsageError("expected either --input (vectors) or --dictionary and --trees");
    }
    if (!options.trees.empty() && options.dictionary.empty()) {
        throw base::UsageError("--trees needs --dictionary");
    }
    if (options.format != Format::kAuto && is_table(options.format) == (options.explain > 0)) {
        throw base::UsageError(
            std::string("--format ") + std::string(base::name_of(kFormatNames, options.format)) +
            (options.explain > 0 ? " is for predictions; with --explain there are text, json and html"
                                 : " is for --explain; predictions have tsv and arrow"));
    }
    if (options.format == Format::kArrow && options.output == "-") {
        throw base::UsageError("--format arrow needs an --output that is a file");
    }
}

stage::Summary run(const Options& options, base::ProgressObserver& progress) {
    validate(options);
    const store::LinearModelFile file = store::read_linear_model(options.model);
    if (options.probabilities && !file.model.is_logistic()) {
        throw base::UsageError("--probabilities: " + base::quoted(options.model) +
                               " is not a logistic model (it was trained with " +
                               std::string(linear::name_of(file.model.solver).option) +
                               "); train with l2r-lr");
    }
    std::optional<store::Dictionary> dictionary;
    if (!options.dictionary.empty()) {
        dictionary.emplace(options.dictionary);
        classify::require_same_dictionary(options.dictionary, file.info.dictionary, dictionary->digest());
    }
    stage::Outputs outputs(plan(options), {{options.output, {}}, {options.metrics, "metrics"}},
                           options.common, progress);
    if (!outputs.begin()) {
        return {};
    }
    Results results(options, file.model);
    const bool html = options.explain > 0 && options.format == Format::kHtml;
    if (html) {
        results.write(classify::html_head());
    }
    std::uint64_t skipped = 0;
    if (options.trees.empty()) {
        const classify::FeatureCatalog features(dictionary ? &*dictionary : nullptr, file.info.fragments);
        score_vectors(options, file, features, results, progress);
    } else {
        const classify::TreeClassifier classifier(std::move(*dictionary), file, options.model);
        skipped = score_trees(options, classifier, results, progress);
    }
    if (html) {
        results.write(classify::html_foot());
    }
    results.commit();
    if (results.metrics().examples() > 0) {
        progress.note(evaluate::to_text(results.metrics()));
    }
    if (!options.metrics.empty()) {
        base::write_whole_file(options.metrics, evaluate::to_json(results.metrics()));
    }
    outputs.record({{"examples", stage::value_of(results.count())}, {"skipped", stage::value_of(skipped)}});
    return {.in = results.count() + skipped, .out = results.count(), .skipped = skipped};
}

}  // namespace treeline::esc
