#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "example/example.hpp"
#include "example/example_format.hpp"
#include "example/kelp_parser.hpp"
#include "tree/bracket_reader.hpp"

namespace treeline::example {

/// How much of an example is parsed.
enum class ExampleParts {
    kAll,
    kLabel,  ///< label and cost; what stands after them is not looked at (in kKelp it is)
};

/// Parses single lines. Keeps work space; not thread-safe, one per thread.
class ExampleParser {
  public:
    /// `names` numbers the features of KeLP's lines by their names; without it they must be numbers.
    explicit ExampleParser(FeatureNames* names = nullptr, TableColumns columns = {})
        : columns_(columns), kelp_(names) {}

    /// `line` (without its terminator) in a line format (neither kAuto nor kTreebank) into `example`, whose
    /// views point into `line`. Throws SyntaxError.
    ///
    /// SVM-light-TK: trees come first; `|BT| |ET|` has one empty tree, `()` is none; `|BV|` stands between
    /// vectors, so that `|ET| |BV| 1:1 |EV|` has an empty first vector; `|EV|` may be left out; a label alone
    /// has one empty vector; a word that starts with `#` ends the line. Indices ascend, values are finite.
    /// LIBSVM: the same without trees. LABEL<TAB>tree: the label may have spaces within, not around it. A word
    /// `cost:NUMBER` after the label (in LABEL<TAB>tree: a column of its own) weighs the example. A label never
    /// starts with `#`.
    /// Where the columns of a table are named, others are not looked at.
    void parse(std::string_view line, ExampleFormat format, Example& example,
               ExampleParts parts = ExampleParts::kAll);

    /// Strings of KeLP's lines, which have no place in an Example.
    [[nodiscard]] std::uint64_t strings_left_out() const { return kelp_.strings_left_out(); }

  private:
    void parse_as(std::string_view line, ExampleFormat format, Example& example, ExampleParts parts);
    void parse_svm_light_tk(std::string_view line, bool may_have_trees, Example& example, ExampleParts parts);
    void parse_label_tab_tree(std::string_view line, Example& example, ExampleParts parts);
    void parse_named_columns(std::string_view line, Example& example, ExampleParts parts);
    void parse_tree_line(std::string_view line, std::size_t offset, Example& example);

    TableColumns columns_;
    tree::BracketReader brackets_;
    KelpParser kelp_;
};

}  // namespace treeline::example
