#pragma once

#include <string>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "corpus/dependency_tree.hpp"
#include "example/example_writer.hpp"

namespace treeline::tdp {

struct DependencyRunOptions {
    std::string input;
    std::string output = "-";
    std::string label_key;  ///< of the comment that holds the label; empty = none
    corpus::DependencyOptions trees;
    example::ExampleWriterOptions writer{.format = example::ExampleFormat::kTrees};
};

/// Trees from CoNLL-U.
stage::Summary make_dependency_trees(const DependencyRunOptions& options, const stage::CommonOptions& common,
                                     base::ProgressObserver& progress);

}  // namespace treeline::tdp
