#include "fmi/fmi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "classify/mining.hpp"
#include "classify/mining_model.hpp"
#include "common/console.hpp"
#include "common/outputs.hpp"
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

using classify::MiningModel;
using classify::MiningResult;

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

void report(const MiningResult& result, base::ProgressObserver& progress) {
    const store::DictionaryModel& model = result.mined.info.models[0];
    const fragment::MiningReport& mined = result.report;
    std::string line = fmt::format("{}: {} support vectors, {} fragments", model.name, model.support_vectors,
                                   mined.fragments);
    if (result.mined.info.miner == base::name_of(fragment::kMinerNames, fragment::MinerKind::kExact)) {
        line += fmt::format(", complete above |w| = {:.6g}", mined.limited ? mined.least : 0.0);
    } else {
        line += fmt::format(", least |w| = {:.6g}", mined.least);
    }
    if (result.mined.info.weight == fragment::WeightScheme::kExact) {
        line += fmt::format(", norm retained {:.2f}%", percent(model.retained, model.norm));
    }
    progress.detail(line + fmt::format(", {} patterns visited", mined.patterns));
    if (result.exact) {
        progress.note(fmt::format(
            "{}: the miner '{}' misses {} of the {} best fragments, {:.3f}% of their squared weight "
            "(exact: {} patterns visited)",
            model.name, result.mined.info.miner, result.missed, result.exact->fragments, 100 * result.lost,
            result.exact->patterns));
    }
}

stage::Values values_of(const Options& options) {
    const fragment::MinerOptions& miner = options.miner;
    stage::Values values{{"miner", stage::value_of(fragment::kMinerNames, miner.kind)},
                         {"top", stage::value_of(miner.top)},
                         {"threshold", stage::value_of(miner.threshold)},
                         {"weight", stage::value_of(fragment::kWeightNames, miner.weight)},
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

/// Refuses before any work what would not fit: fragments listed, merged and written take about so much each, as measured
/// on 40,000 to 1,600,000 of them; what a longer fragment takes on top is watched.
void require_memory(const Options& options, std::size_t models) {
    constexpr std::uint64_t kProgram = std::uint64_t{48} << 20U;
    constexpr std::uint64_t kLeast = std::uint64_t{64}
                                     << 20U;  // less is not kept to: that of the program itself
    const std::uint64_t each = options.global ? 600 : 450;
    const std::uint64_t needed = kProgram + models * each * options.miner.top;
    if (needed > std::max(options.common.memory, kLeast)) {
        throw UsageError(fmt::format(
            "--memory {} is too little for up to {} fragments of each of {} models; give at least {}, or ask for fewer",
            base::format_size(options.common.memory), options.miner.top, models, base::format_size(needed)));
    }
}

bool is_same_folder(const std::string& a, const std::string& b) {
    std::error_code error;
    return !a.empty() && !b.empty() && (a == b || std::filesystem::equivalent(a, b, error));
}

stage::Summary write(store::FragmentMerger& merger, const std::vector<std::uint32_t>& order,
                     const std::string& output, const std::string& tmp, base::Manifest manifest,
                     base::ProgressObserver& progress) {
    const store::DictionarySummary summary =
        classify::write_dictionary(merger, order, output, std::move(manifest), tmp, progress);
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
    classify::require_one_kernel(sources);
    if (!options.mined_output.empty() && sources.size() != 1) {
        throw UsageError("--mined-output is for one model; there are " + std::to_string(sources.size()));
    }
    require_memory(options, sources.size());
    // Models mined at the same time share the memory.
    const std::size_t at_once = std::clamp<std::size_t>(sources.size(), 1, base::current_threads());
    options.miner.memory = static_cast<std::size_t>(options.common.memory / at_once);

    std::vector<std::string> inputs = options.models;
    inputs.insert(inputs.end(), options.merge.begin(), options.merge.end());
    const std::string output = !options.mined_output.empty() ? options.mined_output
                               : !options.output.empty()     ? options.output
                                                             : options.add;
    // A dictionary that grows in place is no input: run again, the same addition finds it as it has left it.
    const bool in_place = is_same_folder(output, options.add);
    if (!options.add.empty() && !in_place) {
        inputs.push_back(options.add);
    }
    stage::Values values = values_of(options);
    values["in-place"] = in_place;
    stage::CommonOptions common = options.common;
    common.refresh = common.refresh || in_place;
    const base::Plan plan = stage::plan_work("fmi", std::move(values), common, inputs);
    stage::Outputs outputs(plan, {{output, {}}}, common, progress);
    if (!outputs.begin()) {
        return {sources.size() + options.merge.size(), 0, 0};
    }

    if (!options.mined_output.empty()) {
        const MiningResult result =
            classify::mine_model(classify::read_model(sources.front()), options.miner, options.compare);
        report(result, progress);
        store::write_mined(output, result.mined);
        outputs.record({{"fragments", stage::value_of(result.report.fragments)}});
        return {1, result.report.fragments, 0};
    }

    store::FragmentMerger merger;
    if (!options.add.empty()) {
        merger.add(store::Dictionary(options.add));
    }
    std::vector<MiningModel> models;
    const auto take = [&](const store::MinedModel& mined) {
        const std::size_t fresh = merger.add(mined);
        progress.detail(
            fmt::format("{}: {} of {} fragments are new ({:.2f}%)", mined.info.models[0].name, fresh,
                        mined.fragments.size(),
                        percent(static_cast<double>(fresh), static_cast<double>(mined.fragments.size()))));
    };
    for (MiningResult& result : classify::mine_sources(sources, options.miner, options.compare,
                                                       options.global ? &models : nullptr, progress)) {
        report(result, progress);
        take(result.mined);
        result = {};
    }
    for (const std::string& path : options.merge) {
        take(store::read_mined(path));
    }
    refuse_repeated(merger.info().models);
    const std::vector<std::uint32_t> order =
        options.global ? classify::select_globally(merger, models, options.miner, progress) : merger.ranked();
    return write(merger, order, output, options.tmp, plan.manifest, progress);
}

}  // namespace treeline::fmi
