#pragma once

#include "base/progress.hpp"
#include "common/options.hpp"
#include "fmi/options.hpp"

namespace treeline::fmi {

/// Mines models and makes the dictionary; what there is to tell goes to `progress`. In: models (or files of
/// mined fragments), out: fragments.
stage::Summary run(const Options& options, base::ProgressObserver& progress);

}  // namespace treeline::fmi
