#include "example/line_words.hpp"

#include <cmath>

#include <string>

#include "base/syntax_error.hpp"

namespace treeline::example {

using base::SyntaxError;

bool looks_like_feature(std::string_view word) {
    const std::size_t colon = word.find(':');
    return colon != std::string_view::npos && base::parse_unsigned(word.substr(0, colon)).has_value();
}

void require_label(std::string_view label, std::size_t offset) {
    if (label.empty()) {
        throw SyntaxError(offset, "no label; expected one before the example");
    }
    if (label.starts_with('#')) {
        throw SyntaxError(offset, "the label " + base::quoted(label) +
                                      " starts with '#', as comments do; expected another label, or a space "
                                      "after '#' in a comment");
    }
    if (const auto nul = label.find('\0'); nul != std::string_view::npos) {
        throw SyntaxError(offset + nul, "NUL byte in a label; expected text");
    }
    const auto control =
        std::ranges::find_if(label, [](unsigned char c) { return c < ' ' || c == '\x7f'; }) - label.begin();
    if (control < std::ssize(label)) {
        throw SyntaxError(offset + static_cast<std::size_t>(control),
                          "control character in a label; expected text");
    }
}

std::string_view take_label(LineWords& words) {
    const auto label = words.peek();
    if (starts_with_mark(label) || label.starts_with('(') || looks_like_feature(label)) {
        throw SyntaxError(words.offset(), "found " + base::quoted(label) + "; expected a label first");
    }
    if (label.empty()) {
        const auto rest = words.rest();
        require_label(rest.substr(0, std::min(rest.find_first_of(" \t"), rest.size())), words.offset());
    }
    require_label(label, words.offset());
    words.take(label);
    return label;
}

std::size_t read_tree(tree::BracketReader& brackets, std::string_view line, std::size_t offset,
                      tree::TreeText& tree) {
    const std::size_t end = brackets.read(line, offset, tree);
    if (tree.empty()) {
        throw SyntaxError(line.find('(', offset), "a tree without nodes, '()'; expected a label after '('");
    }
    return end;
}

double parse_feature_value(std::string_view word, std::size_t offset) {
    constexpr double kLargest = 1e100;
    const auto value = base::parse_double(word);
    if (!value || std::abs(*value) > kLargest) {
        throw SyntaxError(offset, "feature value " + base::quoted(word) + "; expected a finite number" +
                                      (value ? " of at most 1e100" : ""));
    }
    return *value;
}

double parse_cost(std::string_view word, std::size_t offset) {
    const auto cost = base::parse_double(word.substr(kCost.size()));
    if (!cost || !(*cost > 0)) {
        throw SyntaxError(offset, "found " + base::quoted(word) + "; expected cost:NUMBER, a number above 0");
    }
    return *cost;
}

}  // namespace treeline::example
