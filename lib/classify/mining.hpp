#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/manifest.hpp"
#include "base/progress.hpp"
#include "classify/mining_model.hpp"
#include "fragment/miner.hpp"
#include "store/dictionary_builder.hpp"
#include "store/fragment_merger.hpp"
#include "store/mined_file.hpp"

namespace treeline::classify {

/// What mining a model gave.
struct MiningResult {
    store::MinedModel mined;
    fragment::MiningReport report;
    std::optional<fragment::MiningReport>
        exact;               ///< of the exact miner, where another one was compared with it,
    double lost = 0;         ///< the share of its squared weight that the other one lacks,
    std::size_t missed = 0;  ///< and how many of its fragments
};

/// Mines a model. With `compare`, and another miner than the exact one, also says what that one misses.
[[nodiscard]] MiningResult mine_model(const MiningModel& model, const fragment::MinerOptions& options,
                                      bool compare = false);

/// Mines all sources, several at a time; `models` keeps them where it is not null.
[[nodiscard]] std::vector<MiningResult> mine_sources(
    const std::vector<ModelSource>& sources, const fragment::MinerOptions& options, bool compare = false,
    std::vector<MiningModel>* models = nullptr, base::ProgressObserver& progress = base::silent_observer());

/// The numbers in `merger` of the exact top of all models together, ranked; `merger` holds what each of `models` lists
/// by itself and gets the candidates that they lack. options.top is how many, above 0. If the mean of a class's
/// models is sigma or more by amount, so is one of them; sigma is the last of the best relevances among the fragments that
/// the models list by themselves, hence at most the true one.
[[nodiscard]] std::vector<std::uint32_t> select_globally(
    store::FragmentMerger& merger, const std::vector<MiningModel>& models,
    const fragment::MinerOptions& options, base::ProgressObserver& progress = base::silent_observer());

/// Writes the fragments of a merger, in this order, as a dictionary at `path`, whole or not at all. `scratch`: see
/// store::DictionaryBuilder.
store::DictionarySummary write_dictionary(const store::FragmentMerger& merger,
                                          const std::vector<std::uint32_t>& order, const std::string& path,
                                          base::Manifest manifest, const std::string& scratch = {},
                                          base::ProgressObserver& progress = base::silent_observer());

}  // namespace treeline::classify
