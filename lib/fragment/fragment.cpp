#include "fragment/fragment.hpp"

#include <algorithm>
#include <limits>

#include "base/syntax_error.hpp"
#include "base/text.hpp"
#include "tree/bracket_reader.hpp"
#include "tree/bracket_writer.hpp"

namespace treeline::fragment {

using tree::SyntaxError;

Shape measure(FragmentView fragment) {
    Shape shape;
    shape.nodes = static_cast<std::uint32_t>(fragment.size());
    std::vector<std::uint32_t> open;  // children still to come, of the nodes above
    for (const FragmentNode& node : fragment) {
        shape.leaves += is_leaf(node);
        shape.expanded += child_count(node) > 0;
        shape.depth = std::max(shape.depth, static_cast<std::uint32_t>(open.size()));
        if (child_count(node) > 0) {
            open.push_back(child_count(node));
        } else {
            while (!open.empty() && --open.back() == 0) {
                open.pop_back();
            }
        }
    }
    return shape;
}

std::size_t skip_subtree(FragmentView fragment, std::size_t at) {
    for (std::size_t pending = 1; pending > 0; ++at) {
        pending += child_count(fragment[at]);
        --pending;
    }
    return at;
}

void append_text(std::string& out, FragmentView fragment, const tree::SymbolTable& symbols) {
    std::vector<std::uint32_t> open;
    for (std::size_t i = 0; i < fragment.size(); ++i) {
        const FragmentNode& node = fragment[i];
        if (i > 0) {
            out += ' ';
        }
        if (!is_leaf(node)) {
            out += '(';
        }
        tree::append_label(out, symbols.text(node.label));
        if (child_count(node) > 0) {
            open.push_back(node.children);
            continue;
        }
        if (!is_leaf(node)) {
            out += ')';
        }
        while (!open.empty() && --open.back() == 0) {
            open.pop_back();
            out += ')';
        }
    }
}

std::string to_text(FragmentView fragment, const tree::SymbolTable& symbols) {
    std::string text;
    append_text(text, fragment, symbols);
    return text;
}

namespace {

/// Reads the label at text[at], escapes undone, into `label`; leaves `at` after it.
void read_label(std::string_view text, std::size_t& at, std::string& label) {
    label.clear();
    const std::size_t begin = at;
    while (at < text.size() && text[at] != '(' && text[at] != ')' && !tree::is_space(text[at])) {
        if (text[at] == '\0') {
            throw SyntaxError(at, "a NUL byte; labels cannot hold one");
        }
        if (text[at] == '\\' && at + 1 < text.size() && tree::is_escapable(text[at + 1])) {
            ++at;
        }
        label += text[at++];
    }
    if (at == begin) {
        throw SyntaxError(at, at < text.size()
                                  ? "unexpected " + base::quoted(text.substr(at, 1)) + "; expected a label"
                                  : std::string("the fragment ends here; expected a label"));
    }
}

void skip_space(std::string_view text, std::size_t& at) {
    while (at < text.size() && tree::is_space(text[at])) {
        ++at;
    }
}

}  // namespace

Fragment parse_fragment(std::string_view text, tree::SymbolTable& symbols) {
    Fragment fragment;
    std::vector<std::size_t> open;
    std::string label;
    std::size_t at = 0;
    do {
        skip_space(text, at);
        if (!open.empty() && at < text.size() && text[at] == ')') {
            ++at;
            open.pop_back();
            continue;
        }
        const bool bracketed = at < text.size() && text[at] == '(';
        if (bracketed) {
            ++at;
            skip_space(text, at);
        }
        read_label(text, at, label);
        if (!open.empty()) {
            ++fragment[open.back()].children;
        }
        if (bracketed) {
            open.push_back(fragment.size());
        }
        fragment.push_back({symbols.intern(label), bracketed ? 0 : kLeafNode});
    } while (!open.empty());
    skip_space(text, at);
    if (at != text.size()) {
        throw SyntaxError(at, "unexpected " + base::quoted(text.substr(at, 20)) + " after the fragment");
    }
    return fragment;
}

}  // namespace treeline::fragment
