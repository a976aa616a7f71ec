#include "fragment/miner.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "fragment/growth.hpp"
#include "fragment/top_list.hpp"

namespace treeline::fragment {

using base::UsageError;

void validate(const MinerOptions& options, const kernel::TreeKernel& kernel) {
    const bool grows_productions =
        kernel.kind == kernel::TreeKernelKind::kSst || kernel.kind == kernel::TreeKernelKind::kSstBow;
    if (options.kind != MinerKind::kExact && !grows_productions) {
        throw UsageError("the miner '" + std::string(base::name_of(kMinerNames, options.kind)) +
                         "' is defined for sst and sst-bow; 'exact' is for all kernels");
    }
    if (options.weight == WeightScheme::kDepth && kernel.is_partial()) {
        throw UsageError("the weight 'depth' is defined for st and sst kernels; 'exact' is for all kernels");
    }
    if (!(options.threshold >= 0) || !std::isfinite(options.threshold)) {
        throw UsageError("the threshold must be a number of at least 0");
    }
    if (options.kind == MinerKind::kGreedy && options.top == 0) {
        throw UsageError("the miner 'greedy' needs a number L of fragments: its cut-off is B/L");
    }
    if (options.kind == MinerKind::kPaper && options.max_expansions == 0) {
        throw UsageError("the miner 'paper' must expand at least one node at once");
    }
    if (const std::size_t needed = TopList::bytes_needed(options.top); needed > options.memory) {
        throw UsageError("mining " + std::to_string(options.top) + " fragments needs about " +
                         base::format_size(needed) + "; the memory allowed is " +
                         base::format_size(options.memory));
    }
}

MiningReport mine(const MiningSpace& space, const MinerOptions& options, const FragmentSink& sink) {
    const kernel::TreeKernel& kernel = space.kernel();
    validate(options, kernel);
    const tree::Forest& forest = space.forest();
    TopList::Speller speller;
    if (kernel.is_partial()) {
        speller = [](std::span<const Step> steps, Fragment& out) { spell_partial(steps, out); };
    } else if (kernel.is_subtree()) {
        speller = [&](std::span<const Step> steps, Fragment& out) { spell_subtree(forest, steps, out); };
    } else {
        speller = [&](std::span<const Step> steps, Fragment& out) { spell_subset(forest, steps, out); };
    }
    // The greedy miner's cut-off decides how many it lists.
    const std::size_t top = options.kind == MinerKind::kGreedy ? 0 : options.top;
    TopList list(top, options.threshold, options.memory, speller, forest.symbols());

    MiningReport report;
    if (options.kind == MinerKind::kGreedy) {
        report.patterns = grow_greedily(space, options, list);
    } else if (kernel.is_partial()) {
        report.patterns = grow_partials(space, options, list);
    } else if (kernel.is_subtree()) {
        report.patterns = grow_subtrees(space, options, list);
    } else {
        report.patterns = grow_subsets(space, options, list);
    }
    list.finish([&](const TopList::Entry& entry) {
        ++report.fragments;
        report.least = std::abs(entry.relevance);
        report.squared_relevance += entry.relevance * entry.relevance;
        sink({entry.fragment, entry.relevance, entry.count});
    });
    report.limited = top > 0 && report.fragments == top;
    return report;
}

bool label_matches(std::string_view pattern, std::string_view label) {
    std::size_t p = 0;
    std::size_t l = 0;
    std::size_t star = std::string_view::npos;  // the last `*` passed,
    std::size_t resume = 0;                     // and where the text after what it stands for starts
    while (l < label.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = l;
        } else if (p < pattern.size() && pattern[p] == label[l]) {
            ++p;
            ++l;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            l = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') {
        ++p;
    }
    return p == pattern.size();
}

}  // namespace treeline::fragment
