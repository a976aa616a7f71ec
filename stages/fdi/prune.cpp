#include <fmt/format.h>

#include <filesystem>

#include "base/format_names.hpp"
#include "base/output.hpp"
#include "classify/pruning.hpp"
#include "common/outputs.hpp"
#include "fdi/commands.hpp"
#include "store/dictionary.hpp"
#include "store/linear_model.hpp"

namespace treeline::fdi {

stage::Summary prune(const Options& options, base::ProgressObserver& progress) {
    const base::Plan planned =
        stage::plan_work("fdi prune", {}, options.common, {options.dictionary, options.model});
    stage::Outputs outputs(planned, {{options.output, {}}}, options.common, progress);
    if (!outputs.begin()) {
        return {};
    }
    const store::Dictionary dictionary(options.dictionary);
    base::AtomicFolder folder(options.output);
    const std::filesystem::path inside = folder.temporary_path();
    const classify::PrunedModel pruned =
        classify::prune(dictionary, store::read_linear_model(options.model), options.model,
                        (inside / base::formats::kDictionaryFolder).string(), planned.manifest, progress);
    store::write_linear_model((inside / base::formats::kLinearModelFile).string(), pruned.model);
    const std::uint64_t kept = pruned.dictionary.fragments;
    progress.note(fmt::format("{} of {} fragments have a weight", kept, dictionary.size()));
    outputs.commit(folder, {{"fragments", stage::value_of(kept)},
                            {"fragments-before", stage::value_of(dictionary.size())},
                            {"features", stage::value_of(pruned.model.model.features)}});
    return {.in = dictionary.size(), .out = kept, .skipped = 0};
}

}  // namespace treeline::fdi
