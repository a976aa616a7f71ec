#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "example/class_set.hpp"

namespace treeline::evaluate {

/// How one class was found, in percent: precision = hits / predicted, recall = hits / support,
/// f1 = 2 hits / (predicted + support); 0 where the divisor is.
struct ClassScore {
    std::string label;
    double precision = 0;
    double recall = 0;
    double f1 = 0;
    std::uint64_t support = 0;    ///< examples whose gold label it is
    std::uint64_t predicted = 0;  ///< examples that were given it
};

/// Agreement of predicted with gold labels, one of each an example. A class is any label seen on either side.
/// Which labels are of one class, how they are named and ordered is example::ClassSet's rule. Not thread-safe.
class Metrics {
  public:
    void add(std::string_view gold, std::string_view predicted, std::uint64_t count = 1);

    [[nodiscard]] std::uint64_t examples() const { return examples_; }
    /// Percent of examples whose labels agree.
    [[nodiscard]] double accuracy() const;
    /// F1 of all classes' hits, predictions and supports added up: with one label an example, the accuracy.
    [[nodiscard]] double micro_f1() const { return accuracy(); }
    /// Mean of the classes' F1.
    [[nodiscard]] double macro_f1() const;
    /// In the order of example::ClassSet.
    [[nodiscard]] std::vector<ClassScore> classes() const;
    /// Examples of the class `gold` that were given the class `predicted`.
    [[nodiscard]] std::uint64_t confusion(std::string_view gold, std::string_view predicted) const;
    /// No label but +1 and -1 has been seen.
    [[nodiscard]] bool is_signed_binary() const;

  private:
    using ClassId = std::size_t;  // by first sight
    struct Class {
        std::string label;  // one of its labels
        std::uint64_t support = 0;
        std::uint64_t predicted = 0;
        std::uint64_t hits = 0;
    };
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };

    ClassId intern(std::string_view label);
    [[nodiscard]] example::ClassSet class_set() const { return example::ClassSet(labels_); }

    std::vector<Class> classes_;
    std::vector<std::string> labels_;  // as written
    std::unordered_map<std::string, ClassId, TextHash, std::equal_to<>> by_label_;
    std::unordered_map<std::string, ClassId, TextHash, std::equal_to<>> by_key_;  // example::class_key()
    std::map<std::pair<ClassId, ClassId>, std::uint64_t> pairs_;
    std::uint64_t examples_ = 0;
};

/// `metrics.json`: examples, accuracy, micro_f1, macro_f1, classes {LABEL: {precision, recall, f1, support}},
/// confusion {GOLD: {PREDICTED: count}}; percent. The confusion is complete for up to 100 classes; beyond
/// that it leaves out zeros. A newline at the end.
[[nodiscard]] std::string to_json(const Metrics& metrics);

/// What to say of examples whose gold label is none of the classes `known` to the model; empty where there are none.
[[nodiscard]] std::string describe_unknown_labels(const Metrics& metrics, std::span<const std::string> known);

/// A few aligned lines for people, without a newline at the end. For +1/-1 data the class +1 leads.
[[nodiscard]] std::string to_text(const Metrics& metrics);

}  // namespace treeline::evaluate
