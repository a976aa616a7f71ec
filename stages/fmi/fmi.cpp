#include "fmi/fmi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "classify/mining_model.hpp"
#include "common/console.hpp"
#include "common/manifest.hpp"
#include "fragment/top_list.hpp"
#include "store/dictionary_builder.hpp"
#include "store/fragment_merger.hpp"

namespace treeline::fmi {

using base::UsageError;

void validate(const Options& options) {
    if (options.models.empty() && options.merge.empty()) {
        throw UsageError(
            "nothing to do: name models with --models, or files of mined fragments with --merge");
    }
    if (!options.mined_output.empty() &&
        (!options.output.empty() || !options.add.empty() || !options.merge.empty())) {
        throw UsageError(
            "--mined-output makes a file instead of a dictionary; leave out --output, --add and --merge");
    }
    if (options.mined_output.empty() && options.output.empty() && options.add.empty()) {
        throw UsageError("--output, --add or --mined-output is required");
    }
    if (!options.tmp.empty() && !std::filesystem::is_directory(options.tmp)) {
        throw UsageError("--tmp '" + options.tmp + "' is not a folder");
    }
    if (options.global && (!options.merge.empty() || !options.add.empty() || !options.mined_output.empty())) {
        throw UsageError("--global needs the models themselves; it goes with --models and --output only");
    }
    if (options.global && (options.miner.kind != fragment::MinerKind::kExact || options.miner.top == 0)) {
        throw UsageError("--global goes with --miner exact and --top");
    }
}

namespace {

/// What mining a model gave, with what the report says about it.
struct Result {
    store::MinedModel mined;
    fragment::MiningReport report;
    std::optional<fragment::MiningReport> exact;  // of the exact miner, where another one was asked for,
    double lost = 0;                              // the share of its squared weight that the other one lacks,
    std::size_t missed = 0;                       // and how many of its fragments
};

fragment::MiningReport mine_into(const fragment::MiningSpace& space, const fragment::MinerOptions& options,
                                 store::MinedModel& mined) {
    const tree::SymbolTable& symbols = space.forest().symbols();
    std::vector<std::optional<tree::SymbolId>> names(symbols.size());
    fragment::Fragment translated;
    return fragment::mine(space, options, [&](const fragment::MinedFragment& found) {
        translated.assign(found.fragment.begin(), found.fragment.end());
        for (fragment::FragmentNode& node : translated) {
            auto& name = names[raw(node.label)];
            if (!name) {
                name = mined.symbols.intern(symbols.text(node.label));
            }
            node.label = *name;
        }
        mined.fragments.add(translated);
        mined.scores.push_back({found.relevance, found.count});
    });
}

/// How much of the exact top is missing from what another miner listed.
void compare(const fragment::MiningSpace& space, const fragment::MinerOptions& options, Result& result) {
    std::set<std::string> listed;
    for (std::size_t i = 0; i < result.mined.fragments.size(); ++i) {
        listed.insert(fragment::to_text(result.mined.fragments[i], result.mined.symbols));
    }
    fragment::MinerOptions exact = options;
    exact.kind = fragment::MinerKind::kExact;
    double lost = 0;
    result.exact = fragment::mine(space, exact, [&](const fragment::MinedFragment& found) {
        if (listed.count(fragment::to_text(found.fragment, space.forest().symbols())) == 0) {
            lost += found.relevance * found.relevance;
            ++result.missed;
        }
    });
    result.lost = result.exact->squared_relevance > 0 ? lost / result.exact->squared_relevance : 0;
}

Result mine_model(const classify::MiningModel& model, const Options& options) {
    Result result;
    store::DictionaryInfo& info = result.mined.info;
    info.kernel = model.space->kernel();
    info.weight = options.miner.weight;
    info.miner = fragment::to_string(options.miner.kind);
    result.report = mine_into(*model.space, options.miner, result.mined);
    info.models = {model.description};
    info.models[0].mined = result.report.fragments;
    info.models[0].least = result.report.least;
    info.models[0].retained = std::sqrt(result.report.squared_relevance);
    if (options.miner.kind != fragment::MinerKind::kExact && options.compare) {
        compare(*model.space, options.miner, result);
    }
    return result;
}

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

void report(const Result& result, base::ProgressObserver& progress) {
    const store::DictionaryModel& model = result.mined.info.models[0];
    const fragment::MiningReport& mined = result.report;
    std::string line = fmt::format("{}: {} support vectors, {} fragments", model.name, model.support_vectors,
                                   mined.fragments);
    if (result.mined.info.miner == "exact") {
        line += fmt::format(", complete above |w| = {:.6g}", mined.limited ? mined.least : 0.0);
    } else {
        line += fmt::format(", least |w| = {:.6g}", mined.least);
    }
    if (result.mined.info.weight == fragment::WeightScheme::kExact) {
        line += fmt::format(", norm retained {:.2f}%", percent(model.retained, model.norm));
    }
    progress.note(line + fmt::format(", {} patterns visited", mined.patterns));
    if (result.exact) {
        progress.note(fmt::format(
            "{}: the miner '{}' misses {} of the {} best fragments, {:.3f}% of their squared weight "
            "(exact: {} patterns visited)",
            model.name, result.mined.info.miner, result.missed, result.exact->fragments, 100 * result.lost,
            result.exact->patterns));
    }
}

/// Mines all sources, several at a time; `models` keeps them where it is not null.
std::vector<Result> mine_all(const std::vector<classify::ModelSource>& sources, const Options& options,
                             std::vector<classify::MiningModel>* models, base::ProgressObserver& progress) {
    std::vector<Result> results(sources.size());
    if (models != nullptr) {
        models->resize(sources.size());
    }
    std::atomic<std::uint64_t> done = 0;
    progress.start("mining models", sources.size());
    base::parallel_pieces(sources.size(), 1, [&](std::size_t begin, std::size_t) {
        classify::MiningModel model = classify::read_model(sources[begin]);
        results[begin] = mine_model(model, options);
        if (models != nullptr) {
            (*models)[begin] = std::move(model);
        }
        progress.update(++done);
    });
    progress.finish();
    return results;
}

std::vector<std::vector<fragment::Score>> score_all(const std::vector<classify::MiningModel>& models,
                                                    const store::FragmentMerger& merger) {
    std::vector<std::vector<fragment::Score>> scores;
    for (const classify::MiningModel& model : models) {
        scores.push_back(fragment::score_fragments(*model.space, merger.info().weight, merger.fragments(),
                                                   merger.symbols()));
    }
    return scores;
}

/// The exact top L of the summed models. If |sum_s w_s| >= sigma for S models, then |w_s| >= sigma/S for one
/// of them; sigma is the L-th best sum among the fragments that the models list by themselves, hence at most
/// the true one.
std::vector<std::uint32_t> select_globally(store::FragmentMerger& merger,
                                           const std::vector<classify::MiningModel>& models,
                                           const Options& options, base::ProgressObserver& progress) {
    merger.set_scores(score_all(models, merger));
    const std::vector<std::uint32_t> first = merger.ranked(options.miner.top);
    fragment::MinerOptions second = options.miner;
    second.top = 0;
    second.threshold = 0;
    if (first.size() == options.miner.top) {
        constexpr double kSlack = 1 - 1e-9;
        second.threshold =
            std::max(options.miner.threshold,
                     kSlack * std::abs(merger.cumulative(first.back())) / static_cast<double>(models.size()));
    }
    std::vector<store::MinedModel> mined(models.size());
    base::parallel_pieces(models.size(), 1, [&](std::size_t begin, std::size_t) {
        mined[begin].info = merger.info();
        mined[begin].info.models = {merger.info().models[begin]};
        (void)mine_into(*models[begin].space, second, mined[begin]);
    });
    const std::vector<store::DictionaryModel> described = merger.info().models;
    for (const store::MinedModel& candidates : mined) {
        (void)merger.add(candidates);
    }
    merger.info().models = described;
    merger.set_scores(score_all(models, merger));
    progress.note(fmt::format("{} candidates above {:.6g} in some model", merger.size(), second.threshold));
    return merger.ranked(options.miner.top);
}

stage::Values values_of(const Options& options) {
    const fragment::MinerOptions& miner = options.miner;
    stage::Values values{{"miner", std::string(fragment::to_string(miner.kind))},
                         {"top", stage::value_of(miner.top)},
                         {"threshold", stage::value_of(miner.threshold)},
                         {"weight", std::string(fragment::to_string(miner.weight))},
                         {"min-count", stage::value_of(miner.min_count)},
                         {"max-size", stage::value_of(miner.max_size)},
                         {"containing", miner.containing},
                         {"global", options.global}};
    if (miner.kind == fragment::MinerKind::kPaper) {
        values["max-depth"] = stage::value_of(miner.max_depth);
        values["max-exp"] = stage::value_of(miner.max_expansions);
    }
    return values;
}

void refuse_repeated(const std::vector<store::DictionaryModel>& models) {
    std::set<std::string> digests;
    for (const store::DictionaryModel& model : models) {
        if (!digests.insert(model.digest + model.label).second) {
            throw UsageError("the model " + model.name +
                             " is there twice; its relevances would count double");
        }
    }
}

stage::Summary write(store::FragmentMerger& merger, const std::vector<std::uint32_t>& order,
                     const std::string& output, const std::string& tmp, base::Manifest manifest,
                     base::ProgressObserver& progress) {
    store::DictionaryBuilder builder(output, merger.info(), merger.symbols(), tmp);
    progress.start("writing the dictionary", order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        builder.add(merger.fragments()[order[i]], merger.relevances(order[i]));
        if (i % 4096 == 0) {
            progress.update(i);
        }
    }
    const store::DictionarySummary summary = builder.commit(std::move(manifest));
    progress.finish();
    const auto per = [](std::uint64_t part, std::uint64_t whole) {
        return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
    };
    progress.note(fmt::format(
        "{} fragments, {} labels, {} tails ({:.2f} times shared), {} bytes ({:.1f} a fragment), digest {}",
        summary.fragments, summary.labels, summary.tails, per(summary.unshared_tails, summary.tails),
        summary.bytes, per(summary.bytes, summary.fragments), summary.digest));
    return {merger.info().models.size(), summary.fragments, 0};
}

}  // namespace

stage::Summary run(const Options& given, base::ProgressObserver& progress) {
    validate(given);
    Options options = given;
    const std::vector<classify::ModelSource> sources = classify::list_sources(options.models);
    if (!options.mined_output.empty() && sources.size() != 1) {
        throw UsageError("--mined-output is for one model; there are " + std::to_string(sources.size()));
    }
    // Models mined at the same time share the memory.
    const std::size_t at_once = std::clamp<std::size_t>(sources.size(), 1, base::current_threads());
    options.miner.memory = static_cast<std::size_t>(options.common.memory / at_once);

    std::vector<std::string> inputs = options.models;
    inputs.insert(inputs.end(), options.merge.begin(), options.merge.end());
    const std::string output = !options.mined_output.empty() ? options.mined_output
                               : !options.output.empty()     ? options.output
                                                             : options.add;
    if (!options.add.empty()) {
        inputs.push_back(options.add);
    }
    base::Manifest manifest = stage::plan_manifest("fmi", values_of(options), inputs);
    const bool in_place = output == options.add;
    if (!in_place && !stage::needs_work(output, manifest, options.common.force, progress)) {
        return {sources.size() + options.merge.size(), 0, 0};
    }

    if (!options.mined_output.empty()) {
        const Result result = mine_model(classify::read_model(sources.front()), options);
        report(result, progress);
        store::write_mined(output, result.mined);
        stage::record_output(output, manifest, {{"fragments", stage::value_of(result.report.fragments)}});
        return {1, result.report.fragments, 0};
    }

    store::FragmentMerger merger;
    if (!options.add.empty()) {
        merger.add(store::Dictionary(options.add));
    }
    std::vector<classify::MiningModel> models;
    const auto take = [&](const store::MinedModel& mined) {
        const std::size_t fresh = merger.add(mined);
        progress.note(
            fmt::format("{}: {} of {} fragments are new ({:.2f}%)", mined.info.models[0].name, fresh,
                        mined.fragments.size(),
                        percent(static_cast<double>(fresh), static_cast<double>(mined.fragments.size()))));
    };
    for (Result& result : mine_all(sources, options, options.global ? &models : nullptr, progress)) {
        report(result, progress);
        take(result.mined);
        result = {};
    }
    for (const std::string& path : options.merge) {
        take(store::read_mined(path));
    }
    refuse_repeated(merger.info().models);
    const std::vector<std::uint32_t> order =
        options.global ? select_globally(merger, models, options, progress) : merger.ranked();
    return write(merger, order, output, options.tmp, std::move(manifest), progress);
}

}  // namespace treeline::fmi
