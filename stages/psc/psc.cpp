#include "psc/psc.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "common/telling.hpp"
#include "evaluate/metrics.hpp"
#include "example/class_set.hpp"
#include "example/decision.hpp"
#include "polynomial/binary_dataset.hpp"
#include "polynomial/polynomial_classifier.hpp"
#include "store/binary_vectors.hpp"
#include "store/dictionary.hpp"
#include "store/polynomial_model_file.hpp"
#include "store/predictions.hpp"

namespace treeline::psc {

namespace {

/// Examples classified at a time: what is in memory does not grow with the input.
constexpr std::size_t kBatch = 1 << 14;

struct Batch {
    std::vector<std::string> gold;
    std::vector<std::vector<std::uint32_t>> rows;
    std::vector<double> margins;
};

/// The outputs that were asked for.
class Writer {
  public:
    Writer(const Options& options, const polynomial::PolynomialModel& model,
           const polynomial::PolynomialClassifier& classifier, const store::Dictionary* dictionary)
        : model_(model),
          classifier_(classifier),
          dictionary_(dictionary),
          explain_(options.explain),
          format_(options.format) {
        if (!options.output.empty()) {
            predictions_.emplace(
                options.output, options.format,
                store::PredictionColumns{.classes = model.labels, .values = model.outputs()});
        }
        if (explain_ > 0) {
            explanations_.emplace(options.explanations);
        }
    }

    void write(const Batch& batch) {
        const std::size_t outputs = model_.outputs();
        store::PredictionBatch predictions(format_);
        for (std::size_t i = 0; i < batch.gold.size(); ++i) {
            const std::span margins = std::span(batch.margins).subspan(i * outputs, outputs);
            const std::size_t decided = example::decide(margins);
            metrics_.add(batch.gold[i], model_.labels[decided]);
            if (predictions_) {
                predictions.add({examples_, batch.gold[i], model_.labels[decided], margins, {}});
            }
            if (explanations_) {
                explain(batch.rows[i], decided);
            }
            ++examples_;
        }
        if (predictions_) {
            predictions_->write(predictions);
        }
    }

    void commit() {
        if (predictions_) {
            predictions_->commit();
        }
        if (explanations_) {
            explanations_->commit();
        }
    }
    [[nodiscard]] const evaluate::Metrics& metrics() const { return metrics_; }
    [[nodiscard]] std::uint64_t examples() const { return examples_; }

  private:
    void explain(std::span<const std::uint32_t> row, std::size_t decided) {
        const std::size_t output = model_.outputs() == 1 ? 0 : decided;
        for (const auto& contribution : classifier_.explain(row, output, explain_)) {
            line_ = fmt::format("{}\t{}\t{}\t", examples_, model_.labels[decided],
                                base::format_double(contribution.weight));
            for (std::size_t i = 0; i < contribution.features.size(); ++i) {
                line_.append(i == 0                   ? ""
                             : dictionary_ == nullptr ? " "
                                                      : " & ")
                    .append(name(model_.ranking.index(contribution.features[i])));
            }
            explanations_->write(line_.append("\n"));
        }
    }

    /// Features of vectors count from 1, fragments from 0.
    [[nodiscard]] std::string name(std::uint64_t feature) const {
        if (dictionary_ != nullptr && feature > 0 && feature <= dictionary_->size()) {
            return fragment::to_text(dictionary_->get(static_cast<std::uint32_t>(feature - 1)).fragment,
                                     dictionary_->symbols());
        }
        return std::to_string(feature);
    }

    const polynomial::PolynomialModel& model_;
    const polynomial::PolynomialClassifier& classifier_;
    const store::Dictionary* dictionary_;
    std::size_t explain_;
    store::PredictionFormat format_;
    std::optional<store::PredictionWriter> predictions_;
    std::optional<base::AtomicFile> explanations_;
    evaluate::Metrics metrics_;
    std::uint64_t examples_ = 0;
    std::string line_;
};

/// Text does not tell which dictionary numbers its features.
void require_same_dictionary(const std::string& path, const std::string& model, const std::string& other) {
    if (!model.empty() && !other.empty() && model != other) {
        throw base::InputError({path}, "made with another dictionary than the model (digest " +
                                           base::quoted(other) + "; the model has " + base::quoted(model) +
                                           ")");
    }
}

/// What is left for the weights of conjunctions beside the model, and the rows and lists made of it, which take as much again.
std::uint64_t memory_for_weights(std::uint64_t memory) {
    const std::uint64_t held = base::peak_memory();
    if (memory < 2 * held) {
        throw base::UsageError(fmt::format("--memory {} is too little for this model; give at least {}",
                                           base::format_size(memory), base::format_size(2 * held)));
    }
    return memory - 2 * held;
}

}  // namespace

void validate(const Options& options) {
    if (options.explain > 0 && options.output == "-" && options.explanations == "-") {
        throw base::UsageError(
            "--output and --explanations cannot both be stdout; name a file for one of them");
    }
    if (!options.dictionary.empty() && options.explain == 0) {
        throw base::UsageError("--dictionary goes with --explain");
    }
    if (options.format == store::PredictionFormat::kArrow && options.output == "-") {
        throw base::UsageError("--format arrow needs an --output that is a file");
    }
    if (options.model == "-" && options.input == "-") {
        throw base::UsageError("--model and --input cannot both be stdin");
    }
}

stage::Summary run(const Options& options, base::ProgressObserver& progress) {
    validate(options);
    std::vector<std::string> inputs{options.model, options.input};
    if (!options.dictionary.empty()) {
        inputs.push_back(options.dictionary);
    }
    const auto planned =
        stage::plan_work("psc",
                         {{"explain", stage::value_of(options.explain)},
                          {"format", stage::value_of(store::kPredictionFormatNames, options.format)},
                          {"binarize", stage::value_of(options.binarize)}},
                         options.common, inputs);
    stage::Outputs outputs(planned,
                           {{options.output, {}},
                            {options.metrics, "metrics"},
                            {options.explain > 0 ? options.explanations : std::string(), "explanations"}},
                           options.common, progress);
    if (!outputs.begin()) {
        return {};
    }
    progress.start("reading " + options.model, 0);
    const polynomial::PolynomialModel model = store::read_polynomial_model(options.model);
    const polynomial::PolynomialClassifier classifier(model, memory_for_weights(options.common.memory));
    progress.finish();

    std::optional<store::Dictionary> dictionary;
    if (!options.dictionary.empty()) {
        dictionary.emplace(options.dictionary);
        require_same_dictionary(options.dictionary, model.dictionary, dictionary->digest());
    }
    Writer writer(options, model, classifier, dictionary ? &*dictionary : nullptr);
    const auto reader = store::open_binary_examples(
        options.input,
        {options.binarize, options.common.on_error, "--binarize, which takes every other value as 1"});
    require_same_dictionary(options.input, model.dictionary, reader->dictionary());
    example::BinaryExample example;
    Batch batch;
    progress.start("classifying " + options.input, 0);
    for (bool more = true; more;) {
        batch.gold.clear();
        batch.rows.clear();
        while (batch.rows.size() < kBatch && (more = reader->next(example))) {
            if (!model.positive.empty()) {
                const bool positive = example::same_class(example.label, model.positive);
                example.label = model.labels[positive ? 0 : 1];
            }
            batch.gold.push_back(example.label);
            batch.rows.emplace_back();
            polynomial::rank_features(example.features, model.ranking, batch.rows.back());
        }
        batch.margins = classifier.margins(batch.rows);
        writer.write(batch);
        progress.update(writer.examples());
    }
    progress.finish();
    stage::tell_skipped(reader->bad_records(), progress);
    const std::uint64_t skipped = reader->bad_records().skipped();
    writer.commit();
    if (!options.metrics.empty()) {
        base::write_whole_file(options.metrics, evaluate::to_json(writer.metrics()));
    }
    outputs.record({{"examples", stage::value_of(writer.examples())}, {"skipped", stage::value_of(skipped)}});
    stage::tell_metrics(writer.metrics(), model.labels, progress);
    return {writer.examples() + skipped, writer.examples(), skipped};
}

}  // namespace treeline::psc
