#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "example/example_set.hpp"

namespace treeline::example {

struct ClassOptions {
    std::string
        label_until{};  ///< labels end before this text: "NUM:date" with ":" is "NUM"; empty = whole labels
    std::string positive{};  ///< this label against all others; empty = as the labels are
};

/// What stands before `until` in `label`; the whole label where it is not there, or empty.
[[nodiscard]] std::string_view cut_label(std::string_view label, std::string_view until);

/// The class that a label stands for: cut as the options say, numbers in one spelling ("1" is "+1").
[[nodiscard]] std::string class_name(std::string_view label, const ClassOptions& options);

/// One two-class question; `negative` is empty where it means "any other".
struct ClassQuestion {
    std::string positive;
    std::string negative;
    bool operator==(const ClassQuestion&) const = default;
};

/// The classes of some examples and the two-class questions that tell them apart: one for two classes (the
/// larger number, +1, is positive; of words the one seen first), one per class for more (one against all,
/// sorted by name), one if a positive class is asked for.
class Classes {
  public:
    /// Throws base::UsageError if there are fewer than two classes, or none that is the positive one.
    Classes(const example::ExampleSet& examples, std::span<const std::uint32_t> subset,
            const ClassOptions& options);

    [[nodiscard]] const std::vector<ClassQuestion>& questions() const { return questions_; }
    /// +1 and -1 by position in the subset.
    [[nodiscard]] std::vector<double> labels(std::size_t question) const;
    /// Names and, by position in the subset, the number of each example's class.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] std::span<const std::uint32_t> members() const { return members_; }

  private:
    std::vector<std::string> names_;
    std::vector<std::uint32_t> members_;
    std::vector<ClassQuestion> questions_;
};

}  // namespace treeline::example
