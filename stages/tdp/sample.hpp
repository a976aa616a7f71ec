#pragma once

#include <cstdint>
#include <string>

#include "base/progress.hpp"
#include "common/options.hpp"

namespace treeline::tdp {

struct SampleOptions {
    std::string input;
    std::string output = "-";
    std::uint64_t count = 0;      ///< lines to draw,
    double fraction = 0;          ///< or the share of them,
    std::uint64_t per_class = 0;  ///< or the lines to draw of each class
};

/// Draws lines of a file at random, in their order.
stage::Summary sample(const SampleOptions& options, const stage::CommonOptions& common,
                      base::ProgressObserver& progress);

}  // namespace treeline::tdp
