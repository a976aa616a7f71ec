#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/record_lines.hpp"
#include "example/example_format.hpp"

namespace treeline::tdp {

/// Lines of an example file as they are, without blank ones and comments, and their labels; the trees are not
/// read.
class ExampleLines {
  public:
    explicit ExampleLines(const std::string& path) : lines_(path, {}, example::looks_like_example) {}

    /// The next line, valid until the next call; false at the end. Throws InputError for a treebank, whose
    /// trees have no lines of their own.
    bool next(std::string_view& line);
    /// Of a line: what stands before its tab, else its first word; empty for trees without one.
    [[nodiscard]] std::string_view label(std::string_view line) const;
    /// Column number `column` (from 1) between tabs. Throws InputError where the line last returned has none.
    [[nodiscard]] std::string_view column(std::string_view line, std::uint32_t column) const;

  private:
    base::RecordLines lines_;
    example::ExampleFormat format_ = example::ExampleFormat::kAuto;
};

}  // namespace treeline::tdp
