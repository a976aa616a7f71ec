#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "example/example.hpp"
#include "example/example_reader.hpp"
#include "tree/forest.hpp"
#include "tree/ids.hpp"

namespace treeline::example {

/// Stands for an empty tree where a root is asked for.
inline constexpr tree::NodeId kEmptyTree{0xffffffffU};

/// Labelled examples in memory: labels, costs, the roots of their trees (which live in a Forest that is kept
/// beside this, so that several sets can share one) and their sparse vectors. Append-only; reading is
/// thread-safe.
class ExampleSet {
  public:
    /// Appends an example, its trees to `forest`.
    void add(const Example& example, tree::Forest& forest);
    /// Appends an example by its label and cost alone.
    void add_label(std::string_view label, double cost);
    /// Appends an example of another set, its trees, which are in `from`, to `forest`.
    void add(const ExampleSet& other, std::size_t example, const tree::Forest& from, tree::Forest& forest);

    [[nodiscard]] std::size_t size() const { return labels_.size(); }
    /// The numbers of all examples: 0, 1, ..., size() - 1.
    [[nodiscard]] std::vector<std::uint32_t> all() const;

    /// Distinct labels in order of first appearance, and the number of each example's.
    [[nodiscard]] const tree::SymbolTable& label_names() const { return label_names_; }
    [[nodiscard]] tree::SymbolId label(std::size_t example) const { return labels_[example]; }
    [[nodiscard]] std::string_view label_text(std::size_t example) const {
        return label_names_.text(labels_[example]);
    }
    [[nodiscard]] double cost(std::size_t example) const { return costs_.empty() ? 1.0 : costs_[example]; }
    [[nodiscard]] bool has_costs() const { return !costs_.empty(); }

    /// Roots of the example's trees, kEmptyTree for an empty one.
    [[nodiscard]] std::span<const tree::NodeId> trees(std::size_t example) const {
        return slice(trees_, trees_begin_, example);
    }
    [[nodiscard]] std::size_t vector_count(std::size_t example) const {
        return static_cast<std::size_t>(vectors_begin_[example + 1] - vectors_begin_[example]);
    }
    [[nodiscard]] std::span<const Feature> vector(std::size_t example, std::size_t which) const {
        return slice(features_, features_begin_, static_cast<std::size_t>(vectors_begin_[example]) + which);
    }
    [[nodiscard]] std::size_t most_trees() const { return most_trees_; }
    [[nodiscard]] std::size_t most_vectors() const { return most_vectors_; }
    [[nodiscard]] std::uint32_t highest_feature() const { return highest_feature_; }

    [[nodiscard]] std::size_t bytes() const;

  private:
    void add_vector(std::span<const Feature> vector);
    void end_example();

    template <typename T>
    static std::span<const T> slice(const std::vector<T>& items, const std::vector<std::uint64_t>& begin,
                                    std::size_t which) {
        return {items.data() + begin[which], static_cast<std::size_t>(begin[which + 1] - begin[which])};
    }

    tree::SymbolTable label_names_;
    std::vector<tree::SymbolId> labels_;
    std::vector<double> costs_;  // empty as long as all are 1
    std::vector<std::uint64_t> trees_begin_{0};
    std::vector<tree::NodeId> trees_;
    std::vector<std::uint64_t> vectors_begin_{0};
    std::vector<std::uint64_t> features_begin_{0};
    std::vector<Feature> features_;
    std::size_t most_trees_ = 0;
    std::size_t most_vectors_ = 0;
    std::uint32_t highest_feature_ = 0;
};

/// What reading did, for summaries.
struct ReadReport {
    std::uint64_t examples = 0;  ///< good ones
    base::BadRecords bad{};

    /// Good and bad ones.
    [[nodiscard]] std::uint64_t records() const { return examples + bad.skipped(); }
};

/// Appends all examples of `path` to `examples` and their trees to `forest`. Where `wanted` is given, those
/// whose number (from 0) is not wanted are appended by label and cost alone, and nothing else of them is
/// parsed.
ReadReport read_examples(const std::string& path, const ExampleReaderOptions& options, tree::Forest& forest,
                         ExampleSet& examples, base::ProgressObserver& observer = base::silent_observer(),
                         const std::function<bool(std::uint64_t)>& wanted = {});

}  // namespace treeline::example
