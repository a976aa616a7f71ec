#include "esc/esc.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "classify/tree_classifier.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "common/telling.hpp"
#include "esc/results.hpp"
#include "example/example_stream.hpp"
#include "store/dictionary.hpp"
#include "store/linear_model.hpp"
#include "store/vectors.hpp"

namespace treeline::esc {

namespace {

base::Plan plan(const Options& options) {
    std::vector<std::string> inputs{options.model};
    for (const std::string& input : {options.input, options.dictionary, options.trees}) {
        if (!input.empty()) {
            inputs.push_back(input);
        }
    }
    stage::Values values{{"explain", stage::value_of(options.explain)},
                         {"format", stage::value_of(kFormatNames, options.format)},
                         {"probabilities", options.probabilities},
                         {"label-until", options.label_until},
                         {"limit", stage::value_of(options.limit)}};
    if (options.explain > 0) {
        const Selection& wanted = options.selection;
        values["errors"] = wanted.errors;
        values["gold"] = wanted.gold;
        values["predicted"] = wanted.predicted;
        values["ids"] = fmt::format("{}", fmt::join(wanted.ids, " "));
        values["margin"] = wanted.margin ? base::format_double(*wanted.margin) : "";
        values["order"] = stage::value_of(kOrderNames, wanted.order);
        values["count"] = stage::value_of(wanted.count);
    }
    return stage::plan_work("esc", std::move(values), options.common, inputs);
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
            results.add(std::move(scored));
            scored = {};
            progress.update(results.count());
        }
    }
    results.add(std::move(scored));
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
    stream.reader = stage::reader_options(options.common, options.limit);
    progress.start("trees", 0);
    const example::ReadReport report = example::stream_examples<Scored>(
        options.trees, stream,
        [&] {
            return Worker{.scorer = {options, classifier}, .label_until = options.label_until};
        },
        [&](Scored& scored) {
            results.add(std::move(scored));
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
            (options.explain > 0
                 ? " is for predictions; with --explain there are text, json, html, site and svg"
                 : " is for --explain; predictions have tsv and arrow"));
    }
    if (options.format == Format::kArrow && options.output == "-") {
        throw base::UsageError("--format arrow needs an --output that is a file");
    }
    if (is_folder(options.format)) {
        const std::string format = "--format " + std::string(base::name_of(kFormatNames, options.format));
        if (options.output == "-") {
            throw base::UsageError(format + " needs an --output, a folder to be made");
        }
        if (!options.metrics.empty()) {
            throw base::UsageError(format + " makes a folder and no other file: leave --metrics out" +
                                   (options.format == Format::kSite ? "; the folder has metrics.json" : ""));
        }
    }
    if (options.format == Format::kSvg && options.trees.empty()) {
        throw base::UsageError("--format svg draws trees: it needs --dictionary and --trees");
    }
    if (options.explain == 0 && options.selection != Selection{}) {
        throw base::UsageError(
            "--errors, --gold, --predicted, --ids, --margin, --order and --count choose what is explained: they need --explain");
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
    std::uint64_t skipped = 0;
    const auto finish = [&](const classify::FeatureCatalog& features) {
        results.commit(
            outputs, {{"examples", stage::value_of(results.count())}, {"skipped", stage::value_of(skipped)}},
            features);
    };
    if (options.trees.empty()) {
        const classify::FeatureCatalog features(dictionary ? &*dictionary : nullptr, file.info.fragments);
        score_vectors(options, file, features, results, progress);
        finish(features);
    } else {
        const classify::TreeClassifier classifier(std::move(*dictionary), file, options.model);
        skipped = score_trees(options, classifier, results, progress);
        finish(classifier.features());
    }
    if (results.metrics().examples() > 0) {
        stage::tell_metrics(results.metrics(), file.model.labels, progress);
    }
    return {.in = results.count() + skipped, .out = results.count(), .skipped = skipped};
}

}  // namespace treeline::esc
