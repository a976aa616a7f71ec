#include "classify/mining.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>
#include <string>

#include "base/names.hpp"
#include "base/parallel.hpp"

namespace treeline::classify {

namespace {

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
void compare_with_exact(const fragment::MiningSpace& space, const fragment::MinerOptions& options,
                        MiningResult& result) {
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

std::vector<std::vector<fragment::Score>> score_all(const std::vector<MiningModel>& models,
                                                    const store::FragmentMerger& merger) {
    std::vector<std::vector<fragment::Score>> scores;
    for (const MiningModel& model : models) {
        scores.push_back(fragment::score_fragments(*model.space, merger.info().weight, merger.fragments(),
                                                   merger.symbols()));
    }
    return scores;
}

}  // namespace

MiningResult mine_model(const MiningModel& model, const fragment::MinerOptions& options, bool compare) {
    MiningResult result;
    store::DictionaryInfo& info = result.mined.info;
    info.kernel = model.space->kernel();
    info.weight = options.weight;
    info.miner = base::name_of(fragment::kMinerNames, options.kind);
    result.report = mine_into(*model.space, options, result.mined);
    info.models = {model.description};
    info.models[0].mined = result.report.fragments;
    info.models[0].least = result.report.least;
    info.models[0].retained = std::sqrt(result.report.squared_relevance);
    if (options.kind != fragment::MinerKind::kExact && compare) {
        compare_with_exact(*model.space, options, result);
    }
    return result;
}

std::vector<std::uint32_t> select_globally(store::FragmentMerger& merger,
                                           const std::vector<MiningModel>& models,
                                           const fragment::MinerOptions& options,
                                           base::ProgressObserver& progress) {
    merger.set_scores(score_all(models, merger));
    const std::vector<std::uint32_t> first = merger.ranked(options.top);
    fragment::MinerOptions second = options;
    second.top = 0;
    second.threshold = 0;
    if (first.size() == options.top) {
        constexpr double kSlack = 1 - 1e-9;
        second.threshold = std::max(options.threshold, kSlack * std::abs(merger.relevance(first.back())));
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
    progress.detail(fmt::format("{} candidates above {:.6g} in some model", merger.size(), second.threshold));
    return merger.ranked(options.top);
}

std::vector<MiningResult> mine_sources(const std::vector<ModelSource>& sources,
                                       const fragment::MinerOptions& options, bool compare,
                                       std::vector<MiningModel>* models, base::ProgressObserver& progress) {
    std::vector<MiningResult> results(sources.size());
    if (models != nullptr) {
        models->resize(sources.size());
    }
    std::atomic<std::uint64_t> done = 0;
    progress.start("mining models", sources.size());
    base::parallel_pieces(sources.size(), 1, [&](std::size_t begin, std::size_t) {
        MiningModel model = read_model(sources[begin]);
        results[begin] = mine_model(model, options, compare);
        if (models != nullptr) {
            (*models)[begin] = std::move(model);
        }
        progress.update(++done);
    });
    progress.finish();
    return results;
}

store::DictionarySummary write_dictionary(const store::FragmentMerger& merger,
                                          const std::vector<std::uint32_t>& order, const std::string& path,
                                          base::Manifest manifest, const std::string& scratch,
                                          base::ProgressObserver& progress) {
    store::DictionaryBuilder builder(path, merger.info(), merger.symbols(), scratch);
    progress.start("writing the dictionary", order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        builder.add(merger.fragments()[order[i]], merger.relevances(order[i]));
        if (i % 4096 == 0) {
            progress.update(i);
        }
    }
    store::DictionarySummary summary = builder.commit(std::move(manifest));
    progress.finish();
    return summary;
}

}  // namespace treeline::classify
