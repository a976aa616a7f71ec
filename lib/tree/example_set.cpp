#include "tree/example_set.hpp"

#include <algorithm>

namespace treeline::tree {

void ExampleSet::add(const Example& example, Forest& forest) {
    if (example.cost != 1 && costs_.empty()) {
        costs_.assign(labels_.size(), 1.0);
    }
    if (example.cost != 1 || !costs_.empty()) {
        costs_.push_back(example.cost);
    }
    labels_.push_back(label_names_.intern(example.label));
    for (const auto& tree : example.trees()) {
        trees_.push_back(forest.add(tree).value_or(kEmptyTree));
    }
    trees_begin_.push_back(trees_.size());
    for (const auto& vector : example.vectors()) {
        features_.insert(features_.end(), vector.begin(), vector.end());
        features_begin_.push_back(features_.size());
        if (!vector.empty()) {
            highest_feature_ = std::max(highest_feature_, vector.back().index);
        }
    }
    vectors_begin_.push_back(features_begin_.size() - 1);
    most_trees_ = std::max(most_trees_, example.trees().size());
    most_vectors_ = std::max(most_vectors_, example.vectors().size());
}

std::size_t ExampleSet::bytes() const {
    return label_names_.bytes() + labels_.capacity() * sizeof(SymbolId) + costs_.capacity() * sizeof(double) +
           (trees_begin_.capacity() + vectors_begin_.capacity() + features_begin_.capacity()) *
               sizeof(std::uint64_t) +
           trees_.capacity() * sizeof(NodeId) + features_.capacity() * sizeof(Feature);
}

ReadReport read_examples(const std::string& path, const ExampleReaderOptions& options, Forest& forest,
                         ExampleSet& examples, base::ProgressObserver& observer) {
    constexpr std::uint64_t kReportEvery = 4096;
    ExampleReader reader(path, options);
    Example example;
    observer.start("reading " + path, options.limit);
    while (reader.next(example)) {
        examples.add(example, forest);
        if (reader.examples() % kReportEvery == 0) {
            observer.update(reader.examples());
        }
    }
    observer.finish();
    return {reader.examples(), reader.skipped(), reader.skip_messages()};
}

}  // namespace treeline::tree
