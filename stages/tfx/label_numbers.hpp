#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/progress.hpp"
#include "example/class_set.hpp"
#include "example/example_reader.hpp"

namespace treeline::tfx {

/// The numbers that stand for labels in LIBSVM text. Training and test data, all parts of a folder and every later
/// run need the same ones: they come from a file of lines NUMBER<TAB>LABEL, or the labels are numbers themselves.
class LabelNumbers {
  public:
    /// Labels that are numbers themselves.
    LabelNumbers() = default;
    /// Classes that are all numbers stand for themselves, others are numbered from 1 in the order of the classes.
    explicit LabelNumbers(const example::ClassSet& classes);
    /// Throws InputError, also where a number or a label is there twice, or the file has a digest that is not that of
    /// its lines. Files without one, which people write, are read.
    [[nodiscard]] static LabelNumbers read(const std::string& path);

    /// The number for `label`. Throws base::Error where there is none. Thread-safe.
    [[nodiscard]] std::string_view number_of(std::string_view label) const;
    /// The lines, without the digest.
    [[nodiscard]] std::string to_text() const;
    /// As read() reads it: sealed text.
    void write(const std::string& path) const;

  private:
    void add(std::string_view number, std::string_view label);

    std::string path_;                                         // where it was read
    std::map<std::string, std::string, std::less<>> numbers_;  // by the key of the class
    std::string text_;
};

/// Reads the file `path`; where it is not there yet, it is made from the labels of `input` first. Throws UsageError
/// where that cannot be read twice.
[[nodiscard]] LabelNumbers read_or_make_label_numbers(const std::string& path, const std::string& input,
                                                      const example::ExampleReaderOptions& reading,
                                                      std::string_view label_until,
                                                      base::ProgressObserver& progress);

}  // namespace treeline::tfx
