#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "example/class_set.hpp"
#include "example/example_set.hpp"

namespace treeline::example {

struct ClassOptions {
    std::string
        label_until{};  ///< labels end before this text: "NUM:date" with ":" is "NUM"; empty = whole labels
    std::string positive{};  ///< this label against all others; empty = as the labels are
};

/// One two-class question; `negative` is empty where it means "any other".
struct ClassQuestion {
    std::string positive;
    std::string negative;
    bool operator==(const ClassQuestion&) const = default;
};

/// The classes of some examples and the two-class questions that tell them apart: one for two classes (see
/// ClassSet for which one is positive), one per class for more (one against all, in the order of the classes), one
/// if a positive class is asked for.
class Classes {
  public:
    /// Throws base::DataError if there are fewer than two classes, base::UsageError if none is the positive one
    /// that is asked for.
    Classes(const example::ExampleSet& examples, std::span<const std::uint32_t> subset,
            const ClassOptions& options);

    [[nodiscard]] const std::vector<ClassQuestion>& questions() const { return questions_; }
    /// +1 and -1 by position in the subset.
    [[nodiscard]] std::vector<double> labels(std::size_t question) const;
    [[nodiscard]] const ClassSet& set() const { return set_; }
    [[nodiscard]] const std::vector<std::string>& names() const { return set_.names(); }
    /// By position in the subset, the number of each example's class in set().
    [[nodiscard]] std::span<const std::uint32_t> members() const { return members_; }

  private:
    void ask(const std::string& wanted);

    ClassSet set_;
    std::vector<std::uint32_t> members_;
    std::vector<ClassQuestion> questions_;
    std::vector<std::uint32_t> positives_;  // of each question
};

}  // namespace treeline::example
