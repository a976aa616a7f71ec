#pragma once

#include <cstdint>
#include <string>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "example/example_format.hpp"

namespace treeline::tdp {

struct GenerateOptions {
    std::string grammar;
    std::string output = "-";
    std::uint64_t count = 1000;
    example::ExampleFormat format = example::ExampleFormat::kLabelTabTree;  ///< this, kSvmLightTk or kTrees
};

/// Draws trees from a grammar. The first n of a seed are the same for every count and any number of threads.
stage::Summary generate(const GenerateOptions& options, const stage::CommonOptions& common,
                        base::ProgressObserver& progress);

}  // namespace treeline::tdp
