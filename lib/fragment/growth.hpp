#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "fragment/fragment.hpp"
#include "fragment/miner.hpp"
#include "fragment/mining_space.hpp"
#include "fragment/score.hpp"
#include "fragment/top_list.hpp"
#include "tree/forest.hpp"

/// How the miners grow fragments; for lib/fragment itself and its tests.
namespace treeline::fragment {

/// Decisions of st and st-bow: one step, `what` is the node of the forest whose whole subtree is the
/// fragment.
void spell_subtree(const tree::Forest& forest, std::span<const Step> steps, Fragment& out);

/// Decisions of sst and sst-bow: first the root's production, then each time `where` open nodes (in
/// pre-order, after the last one expanded) are left open and the next one is expanded with production
/// `what`. A production without children is a lone leaf.
void spell_subset(const tree::Forest& forest, std::span<const Step> steps, Fragment& out);

/// Decisions of ptk and uptk: first the root's label, then each time a child labelled `what` is put last
/// below the node of level `where` (0 is the root) on the path to the node added before.
void spell_partial(std::span<const Step> steps, Fragment& out);

/// What every growth needs to know about labels: does one match options.containing?
class LabelFilter {
  public:
    LabelFilter(std::string_view pattern, const tree::SymbolTable& symbols);
    [[nodiscard]] bool label(tree::SymbolId label) const { return matches_.empty() || matches_[raw(label)]; }
    /// The label of a production or of one of its children.
    [[nodiscard]] bool production(const tree::Forest& forest, tree::ProductionId production) const;

  private:
    std::vector<bool> matches_;  // empty: everything does
};

/// lambda^(s/2) or lambda^depth by number, grown as needed; one per thread.
class DecayTable {
  public:
    DecayTable(double lambda, WeightScheme scheme)
        : lambda_(lambda), unit_(scheme == WeightScheme::kExact ? 0.5 : 1.0) {}
    [[nodiscard]] double operator()(std::uint32_t exponent);

  private:
    double lambda_;
    double unit_;
    std::vector<double> powers_{1.0};
};

/// Grows into `list` after finding out where its limit will end up: `grow(list)` is first run with falling
/// thresholds on lists of relevances alone until one of them is full. Starting at the right limit, the last
/// run looks at little more than it lists; without that, it would first have to fill the list with whatever
/// comes. `reach` is the largest relevance possible.
template <typename Grow>
std::uint64_t grow_from_above(double reach, const MinerOptions& options, const tree::SymbolTable& symbols,
                              TopList& list, Grow&& grow) {
    constexpr double kFall = 0.6;
    constexpr double kDeepest =
        1e-9;  // of reach; fragments whose occurrences cancel out are below any threshold
    std::uint64_t patterns = 0;
    const double deepest = std::max(options.threshold, reach * kDeepest);
    const bool search = options.top > 0 && options.from_above;
    for (double threshold = reach * kFall; search && threshold > deepest; threshold *= kFall) {
        TopList relevances(options.top, threshold, options.memory, {}, symbols);
        patterns += grow(relevances);
        if (const auto last = relevances.last_relevance()) {
            list.raise(*last);
            break;
        }
        if (!relevances.pruned()) {
            break;
        }
    }
    return patterns + grow(list);
}

/// Each returns the number of fragments looked at.
std::uint64_t grow_subtrees(const MiningSpace& space, const MinerOptions& options, TopList& list);
std::uint64_t grow_subsets(const MiningSpace& space, const MinerOptions& options, TopList& list);
std::uint64_t grow_partials(const MiningSpace& space, const MinerOptions& options, TopList& list);
std::uint64_t grow_greedily(const MiningSpace& space, const MinerOptions& options, TopList& list);

/// visit_occurrences (score.hpp) of fragments of whole productions, and of partial ones.
void visit_subsets(const MiningSpace& space, WeightScheme scheme, const FragmentList& fragments,
                   const tree::SymbolTable& symbols, const OccurrenceVisitor& visit);
void visit_partials(const MiningSpace& space, const FragmentList& fragments, const tree::SymbolTable& symbols,
                    const OccurrenceVisitor& visit);

}  // namespace treeline::fragment
