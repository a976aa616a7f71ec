#include "fragment/miner.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "fragment/fragment_family.hpp"
#include "fragment/growth.hpp"
#include "fragment/top_list.hpp"

namespace treeline::fragment {

using base::UsageError;

void validate(const MinerOptions& options, const kernel::TreeKernel& kernel) {
    const FragmentFamily& fragments = fragments_of(kernel);
    if (!fragments.has_miner(options.kind)) {
        throw UsageError("the miner '" + std::string(base::name_of(kMinerNames, options.kind)) +
                         "' is defined for sst and sst-bow; 'exact' is for all kernels");
    }
    if (!fragments.has_weight(options.weight)) {
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
    validate(options, space.kernel());
    const FragmentFamily& fragments = fragments_of(space.kernel());
    const tree::Forest& forest = space.forest();
    const TopList::Speller speller = [&](std::span<const Step> steps, Fragment& out) {
        fragments.spell(forest, steps, out);
    };
    // The greedy miner's cut-off decides how many it lists.
    const std::size_t top = options.kind == MinerKind::kGreedy ? 0 : options.top;
    TopList list(top, options.threshold, options.memory, speller, forest.symbols());

    MiningReport report;
    report.patterns = options.kind == MinerKind::kGreedy ? grow_greedily(space, options, list)
                                                         : fragments.grow(space, options, list);
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
