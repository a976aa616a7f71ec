#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/syntax_error.hpp"
#include "base/text.hpp"
#include "tree/tree_text.hpp"

namespace treeline::tree {

using base::is_space;
using base::SyntaxError;
using base::trimmed;

/// Reads bracketed trees: `(NP (DT the) (NN cat))`, leaves bare or bracketed. Labels are any bytes but NUL,
/// white space and brackets; `\(`, `\)`, `\\` and a backslash before white space other than a line feed stand
/// for the second character, any other backslash for itself (so that the Penn Treebank's `1\/2` stays as it
/// is). `()` is the empty tree. An outer bracket without a label around one tree with children is taken off,
/// `( (S ...) )`; a missing label anywhere else is an error. Does not recurse: depth is bounded by memory
/// alone. Keeps its work space between calls; not thread-safe.
class BracketReader {
  public:
    /// Reads the tree that starts at text[offset] (white space before it is skipped) into `tree`; returns the
    /// offset after it and the white space that follows. Throws SyntaxError.
    std::size_t read(std::string_view text, std::size_t offset, TreeText& tree);

  private:
    struct Open {
        std::string_view label;
        std::size_t offset;
        std::uint32_t children;
    };
    std::vector<Open> open_;
};

/// True for the characters that a backslash takes their meaning from.
[[nodiscard]] constexpr bool is_escapable(char c) {
    return c == '(' || c == ')' || c == '\\' || (is_space(c) && c != '\n');
}

}  // namespace treeline::tree
