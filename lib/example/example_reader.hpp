#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/record_lines.hpp"
#include "example/example.hpp"
#include "example/example_parser.hpp"

namespace treeline::example {

struct ExampleReaderOptions {
    ExampleFormat format = ExampleFormat::kAuto;
    base::RecordOptions records{};
    bool needs_labels = false;      ///< an example without a label is a bad one
    TableColumns columns{};         ///< naming that of the tree makes kAuto kLabelTabTree
    FeatureNames* names = nullptr;  ///< numbers the features of KeLP's lines; must outlive the reader
};

/// The format of a file by its first example, where `options` leave it open.
[[nodiscard]] ExampleFormat format_of(const ExampleReaderOptions& options, std::string_view line);

/// Throws base::InputError for the first line of a file, at `place`, that has the columns of LABEL<TAB>tree the other
/// way round, where `options` leave the format open: it would pass for a treebank.
void require_label_first(const ExampleReaderOptions& options, std::string_view line,
                         const base::Place& place);

/// Examples of one file (plain or compressed; `-` is standard input) in any format, in order. Blank lines and
/// comments, lines that start with `#`, are passed over, but a line whose label would start with `#` is a bad
/// example; a byte order mark and CR LF are taken off. Text must be UTF-8.
/// In kTreebank a tree goes on over lines until its brackets are closed; a blank line within it, or a line
/// that starts with a bracket without a label, shows that some were left open, and reading goes on from
/// there. A bad example throws InputError with path, line and column, or is skipped and counted.
class ExampleReader {
  public:
    explicit ExampleReader(std::string path, ExampleReaderOptions options = {});

    /// The next example, valid until the next call; false at the end or the limit. Where bad examples are
    /// skipped, all of each is parsed, so that the same ones count.
    bool next(Example& example, ExampleParts parts = ExampleParts::kAll);

    /// Where the example last returned starts.
    [[nodiscard]] base::Place place() const { return {lines_.path(), first_line_, 0}; }
    /// The format in use; kAuto only as long as nothing was read.
    [[nodiscard]] ExampleFormat format() const { return options_.format; }

    /// Examples read so far, without the bad ones; all of them; the bad ones.
    [[nodiscard]] std::uint64_t examples() const { return lines_.good(); }
    [[nodiscard]] std::uint64_t records() const { return lines_.records(); }
    [[nodiscard]] const base::BadRecords& bad_records() const { return lines_.bad_records(); }
    /// Strings of KeLP's lines, which have no place in an Example.
    [[nodiscard]] std::uint64_t strings_left_out() const { return parser_.strings_left_out(); }

  private:
    bool next_text();
    void gather_tree();
    void parse(Example& example, bool skim);
    [[nodiscard]] base::InputError locate(const base::SyntaxError& error) const;

    base::RecordLines lines_;
    ExampleReaderOptions options_;
    ExampleParser parser_;

    std::string_view line_;                 // in a treebank: what is left of the line last read,
    std::size_t column_base_ = 0;           // and bytes of that line before it
    std::string_view text_;                 // the example at hand: its line, or gathered_
    std::string gathered_;                  // a tree over several lines, joined by LF
    std::vector<std::size_t> line_starts_;  // where each line of text_ starts in it
    std::uint64_t first_line_ = 0;          // number of the first of them,
    std::size_t first_column_base_ = 0;     // and bytes of it before text_
};

/// Throws base::SyntaxError if `example`, which needs a label, has none.
void require_labelled(const Example& example);

}  // namespace treeline::example
