#pragma once

#include <vector>

#include "unit/fragment/models.hpp"

namespace treeline::fragment {

/// Algorithm 3.1 of Pighin & Moschitti 2009 as it stands: every fragment within the limits is made and kept,
/// then ranked.
[[nodiscard]] std::vector<test::Listed> harvest_as_paper(const MiningSpace& space,
                                                         const MinerOptions& options);

}  // namespace treeline::fragment
