#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "base/names.hpp"
#include "fragment/fragment.hpp"
#include "fragment/mining_space.hpp"
#include "fragment/weight.hpp"

namespace treeline::fragment {

enum class MinerKind {
    kExact,   ///< branch and bound over the whole fragment space (DESIGN section 4)
    kPaper,   ///< the best of what Algorithm 3.1 of Pighin & Moschitti 2009 makes within max_depth and
              ///< max_expansions, by branch and bound: making all of it first is hopeless on large trees
    kGreedy,  ///< width and depth growth with cut-off B/L (Pighin & Moschitti 2010)
};
inline constexpr base::NameTable<MinerKind, 3> kMinerNames{{
    {MinerKind::kExact, "exact"},
    {MinerKind::kPaper, "paper"},
    {MinerKind::kGreedy, "greedy"},
}};

struct MinerOptions {
    MinerKind kind = MinerKind::kExact;
    std::size_t top = 10000;  ///< L, fragments kept; 0 = all that reach the threshold
    double threshold = 0;     ///< least |relevance|
    WeightScheme weight = WeightScheme::kExact;
    std::uint64_t min_count = 1;  ///< least number of nodes of the model's trees that the fragment occurs at
    std::uint32_t max_size = 0;   ///< most expanded nodes (ptk, uptk: nodes); 0 = any
    std::string containing;  ///< a label of the fragment matches this (`*` stands for any text); empty = any
    std::uint32_t max_depth = 4;                                   ///< paper: rounds of expansion
    std::uint32_t max_expansions = 5;                              ///< paper: nodes expanded in one round
    std::size_t memory = std::numeric_limits<std::size_t>::max();  ///< bytes for the fragments found

    // For pricing (pricing.hpp):
    bool weighted_only = false;  ///< leave out occurrences of weight 0; counts are then too small
    bool skip_repeats =
        false;               ///< sst: do not list what occurs just where the fragment it was grown from does
    bool from_above = true;  ///< look for the limit first where there is a top; else the threshold is near
    /// st and sst: what is ranked is the largest |relevance| that any point of a ball around the coefficients gives (pricing.hpp):
    /// v(f) (|sum W| + radius sqrt(sum of `squares` over the nodes where f occurs)).
    double radius = 0;
    std::span<const double> squares = {};  ///< by rank; looked at where the radius is above 0
};

/// Throws base::UsageError where options contradict each other or the kernel.
void validate(const MinerOptions& options, const kernel::TreeKernel& kernel);

/// One fragment found; valid during the call only.
struct MinedFragment {
    FragmentView fragment;    ///< labels of the space's forest
    double relevance = 0;     ///< w_f
    std::uint64_t count = 0;  ///< nodes of the model's trees at which it occurs
};
using FragmentSink = std::function<void(const MinedFragment&)>;

/// What mining did. With kExact the list is complete: no fragment that passes the filters and is not listed
/// ranks before the last one listed.
struct MiningReport {
    std::size_t fragments = 0;
    std::uint64_t patterns = 0;    ///< fragments looked at
    double least = 0;              ///< |relevance| of the last one listed, 0 if there is none
    bool limited = false;          ///< there may be more below it (L was reached)
    double squared_relevance = 0;  ///< sum of squares of the relevances listed
};

/// Mines the space; fragments reach `sink` ranked by |relevance| descending, then size ascending, then text.
/// The same for any number of threads. Parallel over root productions (labels for ptk and uptk). Nothing
/// recurses. Memory: see TopList, and per thread the occurrence lists of one growing fragment and its
/// ancestors.
MiningReport mine(const MiningSpace& space, const MinerOptions& options, const FragmentSink& sink);

/// `*` in the pattern stands for any text, everything else for itself.
[[nodiscard]] bool label_matches(std::string_view pattern, std::string_view label);

}  // namespace treeline::fragment
