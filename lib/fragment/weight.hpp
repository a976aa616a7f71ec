#pragma once

#include <cstdint>

#include "base/names.hpp"
#include "fragment/fragment.hpp"
#include "kernel/description.hpp"

namespace treeline::fragment {

/// What an occurrence of a fragment is worth (DESIGN section 3). kExact is the kernel's own feature map;
/// kDepth is lambda^depth, as the 2009 paper writes it, for st and sst (and their bow forms).
enum class WeightScheme { kExact, kDepth };

inline constexpr base::NameTable<WeightScheme, 2> kWeightNames{{
    {WeightScheme::kExact, "exact"},
    {WeightScheme::kDepth, "depth"},
}};

/// The factor of one occurrence: lambda^(s/2), or lambda^depth; a lone leaf (st-bow, sst-bow) counts as s = 1
/// and depth 1. For ptk and uptk, of an occurrence without gaps whose childless nodes have children in the tree:
/// mu^(nodes/2) * lambda^(childless nodes), with gaps=span * lambda^(nodes - 1). Every child skipped between two that
/// are used multiplies that by lambda, every childless node that is a leaf of the tree by sqrt(terminal).
[[nodiscard]] double occurrence_value(FragmentView fragment, const kernel::TreeKernel& kernel,
                                      WeightScheme scheme);

}  // namespace treeline::fragment
