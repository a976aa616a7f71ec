#include "psl/psl.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "common/learning.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "example/class_set.hpp"
#include "polynomial/binary_dataset.hpp"
#include "polynomial/polynomial_kernel.hpp"
#include "store/binary_vectors.hpp"
#include "store/class_relevance.hpp"
#include "store/dictionary.hpp"
#include "store/polynomial_model_file.hpp"

namespace treeline::psl {

namespace {

stage::Values options_in_effect(const Options& options) {
    const auto& learner = options.learner;
    stage::Values values{
        {"degree", stage::value_of(learner.margin.degree)},
        {"method", stage::value_of(polynomial::kMarginNames, learner.margin.kind)},
        {"explicit", stage::value_of(learner.margin.explicit_features)},
        {"update", stage::value_of(polynomial::kOnlineUpdateNames, learner.update)},
        {"step-norm", stage::value_of(polynomial::kStepNormNames, learner.norm)},
        {"cost", stage::value_of(learner.c)},
        {"iterations", stage::value_of(learner.iterations)},
        {"average", stage::value_of(learner.average)},
        {"shuffle", stage::value_of(learner.shuffle)},
        {"seed", stage::value_of(options.common.seed)},
        {"positive", learner.positive},
        {"binarize", stage::value_of(options.binarize)},
        {"top", stage::value_of(options.top)},
        {"class", options.top_class},
    };
    return values;
}

/// Bytes that are left for explicit weights when the data are in memory and the method has its indices.
std::uint64_t weight_budget(const polynomial::BinaryDataset& data, std::uint64_t memory) {
    // Per example a packed row and bookkeeping; per feature of an example a node of the partial-margin trie,
    // its number, and a posting that grows by doubling.
    const std::uint64_t needed = base::peak_memory() + data.size() * 128 + data.features.size() * 40;
    if (needed >= memory) {
        throw base::UsageError(
            fmt::format("--memory {} is too little for these {} examples; give at least {}",
                        base::format_size(memory), data.size(), base::format_size(needed + needed / 10)));
    }
    return memory - needed;
}

/// The fragments that --top and --class leave.
store::FragmentChoice choice_of(const Options& options) {
    if (options.top_class.empty()) {
        return {.top = options.top};
    }
    const store::Dictionary dictionary(options.dictionary);
    const store::ClassRelevance classes(dictionary.info().models);
    std::vector<bool> kept(dictionary.size());
    for (const auto& one :
         store::rank_for_class(dictionary, classes.get_class(options.top_class), options.top)) {
        kept[one.id] = true;
    }
    return {.kept = std::move(kept)};
}

}  // namespace

void validate(const Options& options) {
    const auto& learner = options.learner;
    if (learner.margin.degree < 1 || learner.margin.degree > polynomial::kMaxDegree) {
        throw base::UsageError(
            fmt::format("--degree {}: expected 1 to {}", learner.margin.degree, polynomial::kMaxDegree));
    }
    if (!(learner.c > 0) || !std::isfinite(learner.c)) {
        throw base::UsageError(fmt::format("-c {}: expected a number above 0", learner.c));
    }
    if (learner.iterations < 1) {
        throw base::UsageError("--iterations 0: expected at least 1");
    }
    if (learner.margin.explicit_features > 0 && (learner.margin.kind == polynomial::MarginKind::kInverted ||
                                                 learner.margin.kind == polynomial::MarginKind::kExpanded)) {
        throw base::UsageError("--explicit goes with --method sp or sl");
    }
    if (options.top_class.empty() != options.dictionary.empty() ||
        (!options.top_class.empty() && options.top == 0)) {
        throw base::UsageError("--class takes --top and --dictionary, and --dictionary is for --class");
    }
    if (options.output == "-" && options.conjunctions == "-") {
        throw base::UsageError("--output and --conjunctions cannot both be stdout");
    }
}

stage::Summary run(const Options& options, base::ProgressObserver& progress) {
    validate(options);
    std::vector<std::string> inputs{options.input};
    if (!options.dictionary.empty()) {
        inputs.push_back(options.dictionary);
    }
    stage::Outputs outputs(stage::plan_work("psl", options_in_effect(options), options.common, inputs),
                           {{options.output, {}}, {options.conjunctions, "conjunctions"}}, options.common,
                           progress);
    if (!outputs.begin()) {
        return {};
    }
    const auto source = store::open_binary_examples(
        options.input,
        {options.binarize, options.common.on_error, "--binarize, which takes every other value as 1"},
        choice_of(options));
    if (!options.top_class.empty() &&
        source->dictionary() != store::Dictionary(options.dictionary).digest()) {
        throw base::InputError(
            {options.input}, "vectors made with another dictionary than " + base::quoted(options.dictionary));
    }
    const polynomial::BinaryDataset data = polynomial::read_binary_dataset(*source, progress);
    stage::tell_skipped(data.bad, progress);
    stage::naming_input(options.input, [&] { example::require_two_classes(example::ClassSet(data.labels)); });

    polynomial::PolynomialLearnerOptions learner = options.learner;
    learner.seed = options.common.seed;
    learner.margin.memory = weight_budget(data, options.common.memory);
    polynomial::PolynomialTrainingReport report;
    const polynomial::PolynomialModel model = polynomial::train_polynomial(data, learner, &report, progress);
    for (std::size_t pass = 0; pass < report.updates.size(); ++pass) {
        progress.detail(fmt::format("pass {}: {} updates, {} mistakes", pass + 1, report.updates[pass],
                                    report.mistakes[pass]));
    }

    const stage::Values counts{{"examples", stage::value_of(data.size())},
                               {"skipped", stage::value_of(data.bad.skipped())},
                               {"features", stage::value_of(data.ranking.size())},
                               {"labels", stage::value_of(model.labels.size())},
                               {"support_vectors", stage::value_of(model.size())}};
    store::write_polynomial_model(options.output, model);
    if (!options.conjunctions.empty()) {
        store::write_expanded_weights(options.conjunctions, model);
    }
    outputs.record(counts);
    return {data.size() + data.bad.skipped(), model.size(), data.bad.skipped()};
}

}  // namespace treeline::psl
