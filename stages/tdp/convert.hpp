#pragma once

#include <string>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "corpus/normalization.hpp"
#include "example/example_writer.hpp"

namespace treeline::tdp {

struct ConvertOptions {
    std::string input;
    std::string output = "-";
    std::string names;  ///< where the names of features go; empty = features are numbers
    example::ExampleWriterOptions writer;
    corpus::Normalization normalization;
};

/// Examples from one format to another.
stage::Summary convert(const ConvertOptions& options, const stage::CommonOptions& common,
                       base::ProgressObserver& progress);

}  // namespace treeline::tdp
