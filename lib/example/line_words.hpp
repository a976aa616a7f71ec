#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "tree/bracket_reader.hpp"

/// What the line formats of examples share: their words, marks and labels.
namespace treeline::example {

inline constexpr std::string_view kBeginTree = "|BT|";
inline constexpr std::string_view kEndTrees = "|ET|";
inline constexpr std::string_view kNextVector = "|BV|";
inline constexpr std::string_view kEndVectors = "|EV|";
inline constexpr std::string_view kCost = "cost:";

[[nodiscard]] constexpr bool starts_with_mark(std::string_view text) {
    return text.size() >= kBeginTree.size() && text[0] == '|' && text[3] == '|' &&
           (text.starts_with(kBeginTree) || text.starts_with(kEndTrees) || text.starts_with(kNextVector) ||
            text.starts_with(kEndVectors));
}

/// Words of a line, each with its offset. A mark such as `|BT|` and the bracket that starts a tree are words of
/// their own even where no space follows; a word that starts with `#` ends the line.
class LineWords {
  public:
    explicit LineWords(std::string_view line, std::size_t offset = 0) : line_(line), offset_(offset) {}

    /// The word ahead (empty at the end of the line or at a comment), not taken yet.
    [[nodiscard]] std::string_view peek() {
        while (offset_ < line_.size() && base::is_space(line_[offset_])) {
            ++offset_;
        }
        const auto rest = line_.substr(offset_);
        if (rest.starts_with('#')) {
            return {};
        }
        if (rest.starts_with('(') || starts_with_mark(rest)) {
            return rest.substr(0, rest.front() == '(' ? 1 : kBeginTree.size());
        }
        const auto end = std::ranges::find_if(rest, base::is_space);
        return rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    }
    void take(std::string_view word) { offset_ += word.size(); }
    void jump(std::size_t offset) { offset_ = offset; }
    [[nodiscard]] std::size_t offset() const { return offset_; }
    /// What is left of the line.
    [[nodiscard]] std::string_view rest() const { return line_.substr(offset_); }

  private:
    std::string_view line_;
    std::size_t offset_;
};

/// `7:...`: the start of a feature rather than a label such as `NUM:date`.
[[nodiscard]] bool looks_like_feature(std::string_view word);

/// Throws base::SyntaxError for a label at `offset` of its line that is empty, starts with `#` as comments do, or
/// has a control character.
void require_label(std::string_view label, std::size_t offset);

/// Takes the first word of a line, its label. Throws base::SyntaxError where there is none.
[[nodiscard]] std::string_view take_label(LineWords& words);

/// Reads the tree at `offset` as BracketReader::read() does; `()`, the tree without nodes, is refused.
std::size_t read_tree(tree::BracketReader& brackets, std::string_view line, std::size_t offset,
                      tree::TreeText& tree);

/// The value of a feature at `offset`: finite, and not so large that the product of two vectors is not. Throws
/// base::SyntaxError.
[[nodiscard]] double parse_feature_value(std::string_view word, std::size_t offset);

/// The weight of an example in the word `cost:NUMBER` at `offset`. Throws base::SyntaxError.
[[nodiscard]] double parse_cost(std::string_view word, std::size_t offset);

}  // namespace treeline::example
