#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What labels mean: the one rule of every learner, classifier, dictionary and measure.
///
/// - Two labels are of one class if they are the same number ("1", "+1" and "1.0") or, not both numbers, the same text.
/// - Classes are ordered: numbers ascending, then texts by their bytes; +1 comes before -1 where there are no others.
/// - Of two classes the larger number is positive, of words the later one: +1 of +1 and -1, 1 of 0 and 1, "yes" of
///   "no" and "yes".
///
/// None of this depends on the order of the examples.
namespace treeline::example {

/// The value of a label that is a number. Texts of more digits than a double tells apart are names.
[[nodiscard]] std::optional<double> label_number(std::string_view label);

/// One text for all labels of a class, to look it up by; for people there is ClassSet::names().
[[nodiscard]] std::string class_key(std::string_view label);

[[nodiscard]] bool same_class(std::string_view a, std::string_view b);

/// What stands before `until` in `label`; the whole label where it is not there, or empty.
[[nodiscard]] std::string_view cut_label(std::string_view label, std::string_view until);

/// A name for "any other class than this one".
[[nodiscard]] std::string rest_of(std::string_view positive);

/// The classes among some labels.
class ClassSet {
  public:
    ClassSet() = default;
    /// Labels in any order, each any number of times.
    explicit ClassSet(std::span<const std::string> labels);

    [[nodiscard]] std::size_t size() const { return names_.size(); }
    /// In order. A class is named as its labels are written; where they are written in several ways, by the shortest
    /// text of the number. The classes +1 and -1 are "+1" and "-1" however they are written.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    /// The number of the class that a label belongs to.
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view label) const;
    /// There are no other classes than +1 and -1.
    [[nodiscard]] bool is_signed() const { return signed_; }
    /// Of two classes, the number of the positive one.
    [[nodiscard]] std::uint32_t positive() const;
    /// The names as models list them: of two classes the positive one first, otherwise in order.
    [[nodiscard]] std::vector<std::string> model_names() const;

  private:
    std::vector<std::string> names_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;  // by class_key()
    bool signed_ = false;
};

/// Throws base::DataError unless there are two classes to tell apart. Every learner says it with these words.
void require_two_classes(const ClassSet& classes);

}  // namespace treeline::example
