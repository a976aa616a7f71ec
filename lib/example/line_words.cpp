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

std::string guess_mistake(std::string_view line, std::string_view remedy) {
    const auto tabs = std::ranges::count(line, '\t');
    const std::string_view first = line.substr(0, line.find('\t'));
    if (tabs == 9 && !first.empty() && first.find_first_not_of("0123456789-.") == std::string_view::npos) {
        return "the line looks like CoNLL-U; expected trees, which tdp dependency makes of it";
    }
    if (line.find("|BT:") != std::string_view::npos) {
        return "the line looks like KeLP's, whose parts have names; read it in the format kelp";
    }
    std::size_t column = 1;
    for (std::size_t begin = 0; begin < line.size() && tabs > 0; ++column) {
        const std::size_t end = std::min(line.find('\t', begin), line.size());
        if (column == 2 && tabs == 1 && base::trimmed(line.substr(begin)).starts_with('(')) {
            return "the line is LABEL<TAB>tree, as the first one is not; expected one format in a file";
        }
        if (column > 1 && base::trimmed(line.substr(begin, end - begin)).starts_with('(')) {
            return "a table of " + std::to_string(tabs + 1) + " columns with a tree in column " +
                   std::to_string(column) + "; expected two, LABEL<TAB>tree: " + std::string(remedy);
        }
        begin = end + 1;
    }
    if (line.starts_with("SVM-light Version")) {
        return "the line is the first of a kernel model; expected examples, LABEL<TAB>tree";
    }
    if (line.starts_with("solver_type ")) {
        return "the line is the first of a linear model; expected examples, LABEL<TAB>tree";
    }
    const bool no_tree = line.find_first_of("(|") == std::string_view::npos;
    if (no_tree && tabs > 0 && line.find_first_of(" :") == std::string_view::npos) {
        return "the line looks like the header of a table; expected LABEL<TAB>tree: take it out, for example with "
               "tail -n +2, or start it with '# '";
    }
    if (no_tree && (tabs > 0 ? !looks_like_feature(line.substr(first.size() + 1))
                             : line.find(':') == std::string_view::npos)) {
        return "text without a tree; expected LABEL<TAB>tree, such as NUM<TAB>(S (WRB when) (VBZ is) (NN lunch)), as parsers make "
               "them of text";
    }
    const std::size_t tree = line.find('(');
    const bool bare = line.find(kBeginTree) == std::string_view::npos;
    if (bare && tree != std::string_view::npos && line.substr(0, tree).find(',') != std::string_view::npos) {
        return "the line looks like CSV; expected LABEL<TAB>tree, with a tab and without quotes";
    }
    if (bare && tree != std::string_view::npos && tabs == 0 && tree > 0 && base::is_space(line[tree - 1])) {
        return "a space between label and tree; expected a tab: LABEL<TAB>tree";
    }
    return {};
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
