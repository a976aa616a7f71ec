#include "example/example_set.hpp"

#include <algorithm>
#include <numeric>

namespace treeline::example {

void ExampleSet::add(const Example& example, tree::Forest& forest) {
    add_label(example.label, example.cost);
    for (const auto& tree : example.trees()) {
        trees_.push_back(forest.add(tree).value_or(kEmptyTree));
    }
    for (const auto& vector : example.vectors()) {
        add_vector(vector);
    }
    end_example();
}

void ExampleSet::add(const ExampleSet& other, std::size_t example, const tree::Forest& from,
                     tree::Forest& forest) {
    add_label(other.label_text(example), other.cost(example));
    for (const tree::NodeId root : other.trees(example)) {
        trees_.push_back(root == kEmptyTree ? kEmptyTree : *forest.add(from.text(root)));
    }
    for (std::size_t which = 0; which < other.vector_count(example); ++which) {
        add_vector(other.vector(example, which));
    }
    end_example();
}

void ExampleSet::add_label(std::string_view label, double cost) {
    if (cost != 1 && costs_.empty()) {
        costs_.assign(labels_.size(), 1.0);
    }
    if (cost != 1 || !costs_.empty()) {
        costs_.push_back(cost);
    }
    labels_.push_back(label_names_.intern(label));
    trees_begin_.push_back(trees_.size());
    vectors_begin_.push_back(features_begin_.size() - 1);
}

void ExampleSet::add_vector(std::span<const Feature> vector) {
    features_.insert(features_.end(), vector.begin(), vector.end());
    features_begin_.push_back(features_.size());
    if (!vector.empty()) {
        highest_feature_ = std::max(highest_feature_, vector.back().index);
    }
}

/// Trees and vectors appended since add_label() are those of the last example.
void ExampleSet::end_example() {
    trees_begin_.back() = trees_.size();
    vectors_begin_.back() = features_begin_.size() - 1;
    most_trees_ = std::max(most_trees_, trees(size() - 1).size());
    most_vectors_ = std::max(most_vectors_, vector_count(size() - 1));
}

std::vector<std::uint32_t> ExampleSet::all() const {
    std::vector<std::uint32_t> numbers(size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

std::size_t ExampleSet::bytes() const {
    return label_names_.bytes() + labels_.capacity() * sizeof(tree::SymbolId) +
           costs_.capacity() * sizeof(double) +
           (trees_begin_.capacity() + vectors_begin_.capacity() + features_begin_.capacity()) *
               sizeof(std::uint64_t) +
           trees_.capacity() * sizeof(tree::NodeId) + features_.capacity() * sizeof(Feature);
}

ReadReport read_examples(const std::string& path, const ExampleReaderOptions& options, tree::Forest& forest,
                         ExampleSet& examples, base::ProgressObserver& observer,
                         const std::function<bool(std::uint64_t)>& wanted) {
    constexpr std::uint64_t kReportEvery = 4096;
    ExampleReader reader(path, options);
    Example example;
    observer.start("reading " + path, options.records.limit);
    const auto parts = [&] {
        return !wanted || wanted(reader.examples()) ? ExampleParts::kAll : ExampleParts::kLabel;
    };
    for (ExampleParts asked = parts(); reader.next(example, asked); asked = parts()) {
        if (asked == ExampleParts::kAll) {
            examples.add(example, forest);
        } else {
            examples.add_label(example.label, example.cost);
        }
        if (reader.examples() % kReportEvery == 0) {
            observer.update(reader.examples());
        }
    }
    observer.finish();
    return {reader.examples(), reader.bad_records()};
}

}  // namespace treeline::example
