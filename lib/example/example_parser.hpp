#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "example/example.hpp"
#include "tree/bracket_reader.hpp"

namespace treeline::example {

/// Formats of examples, one a line except kTreebank.
enum class ExampleFormat {
    kAuto,          ///< told by the first line that is neither blank nor a comment
    kSvmLightTk,    ///< `LABEL |BT| tree |BT| tree |ET| i:v ... |BV| i:v ... |EV|`, or `LABEL i:v ...`
    kLabelTabTree,  ///< `LABEL<TAB>tree`
    kTrees,         ///< `tree`
    kTreebank,      ///< trees over several lines, as in Penn Treebank files
};

/// How much of an example is parsed.
enum class ExampleParts {
    kAll,
    kLabel,  ///< label and cost; what stands behind them is not looked at
};

/// The format that `line` looks like; kTreebank for a tree that does not end on its line, is not alone on it
/// or has the Penn Treebank's outer bracket without a label.
[[nodiscard]] ExampleFormat guess_format(std::string_view line);

/// True if `text` starts with a bracket without a label around something, `( (S ...`: only the outermost may
/// be so.
[[nodiscard]] bool starts_unlabelled(std::string_view text);

/// Follows the brackets of `text` from `depth` open ones on; the offset behind the one that closes the last
/// of them (or is one too many), or text.size().
[[nodiscard]] std::size_t skip_brackets(std::string_view text, std::int64_t& depth);

/// Parses single lines. Keeps work space; not thread-safe, one per thread.
class ExampleParser {
  public:
    /// `line` (without its terminator) in a line format (neither kAuto nor kTreebank) into `example`, whose
    /// views point into `line`. Throws SyntaxError.
    ///
    /// SVM-light-TK: trees come first; `|BV|` stands between vectors, so that `|ET| |BV| 1:1 |EV|` has an
    /// empty first vector; `|EV|` may be left out; a label alone has one empty vector; a word that starts
    /// with `#` ends the line. Indices ascend, values are finite. LABEL<TAB>tree: the label may have spaces
    /// within, not around it. A word `cost:NUMBER` behind the label (in LABEL<TAB>tree: a column of its own)
    /// weighs the example.
    void parse(std::string_view line, ExampleFormat format, Example& example,
               ExampleParts parts = ExampleParts::kAll);

  private:
    void parse_svm_light_tk(std::string_view line, Example& example, ExampleParts parts);
    void parse_label_tab_tree(std::string_view line, Example& example, ExampleParts parts);
    void parse_tree_line(std::string_view line, std::size_t offset, Example& example);

    tree::BracketReader brackets_;
};

}  // namespace treeline::example
