#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/input.hpp"
#include "example/example.hpp"
#include "example/example_parser.hpp"

namespace treeline::example {

/// What to do with an example that cannot be read.
enum class OnError { kFail, kSkip };

struct ExampleReaderOptions {
    ExampleFormat format = ExampleFormat::kAuto;
    OnError on_error = OnError::kFail;
    std::uint64_t limit = 0;  ///< stop after this many examples; 0 = read all
};

/// Examples of one file (plain, gzip, zstd; `-` is standard input), in order. Blank lines and lines that
/// start with
/// `#` are passed over, a byte order mark and CR LF are taken off. Text must be UTF-8.
/// In kTreebank a tree goes on over lines until its brackets are closed; a blank line within it, or a line
/// that starts with a bracket without a label, shows that some were left open, and reading goes on from
/// there. A bad example throws InputError with path, line and column, or is skipped and counted.
class ExampleReader {
  public:
    explicit ExampleReader(std::string path, ExampleReaderOptions options = {});

    /// The next example, valid until the next call; false at the end. Where bad examples are skipped, all of
    /// each is parsed, so that the same ones count.
    bool next(Example& example, ExampleParts parts = ExampleParts::kAll);

    /// Where the example last returned starts.
    [[nodiscard]] std::uint64_t line_number() const { return first_line_; }
    [[nodiscard]] const std::string& path() const { return lines_.path(); }
    /// The format in use; kAuto only as long as nothing was read.
    [[nodiscard]] ExampleFormat format() const { return options_.format; }

    [[nodiscard]] std::uint64_t examples() const { return examples_; }
    [[nodiscard]] std::uint64_t skipped() const { return skipped_; }
    /// The messages of the first few skipped examples, for a report.
    [[nodiscard]] const std::vector<std::string>& skip_messages() const { return skip_messages_; }

  private:
    bool next_line();
    bool next_text();
    void gather_tree();
    [[nodiscard]] base::InputError locate(const tree::SyntaxError& error) const;

    base::LineReader lines_;
    ExampleReaderOptions options_;
    ExampleParser parser_;

    std::string_view line_;                 // what is left of the line last read
    std::size_t column_base_ = 0;           // bytes of that line before line_
    std::string_view text_;                 // the example at hand: its line, or gathered_
    std::string gathered_;                  // a tree over several lines, joined by LF
    std::vector<std::size_t> line_starts_;  // where each line of text_ starts in it
    std::uint64_t first_line_ = 0;          // number of the first of them,
    std::size_t first_column_base_ = 0;     // and bytes of it before text_

    std::uint64_t examples_ = 0;
    std::uint64_t skipped_ = 0;
    std::vector<std::string> skip_messages_;
};

}  // namespace treeline::example
