#include "tree/bracket_reader.hpp"

#include <array>
#include <limits>
#include <string>

#include "base/text.hpp"

namespace treeline::tree {
namespace {

constexpr auto kEndsLabel = [] {
    std::array<bool, 256> ends{};
    for (const char c : {' ', '\t', '\n', '\v', '\f', '\r', '(', ')', '\\', '\0'}) {
        ends[static_cast<unsigned char>(c)] = true;
    }
    return ends;
}();

[[nodiscard]] bool is_escaped(std::string_view text, std::size_t backslash) {
    return backslash + 1 < text.size() && is_escapable(text[backslash + 1]);
}

/// The offset after the label at `offset`; `has_escapes` is set where any has to be undone.
std::size_t end_of_label(std::string_view text, std::size_t offset, bool& has_escapes) {
    has_escapes = false;
    for (;; ++offset) {
        while (offset < text.size() && !kEndsLabel[static_cast<unsigned char>(text[offset])]) {
            ++offset;
        }
        if (offset == text.size()) {
            return offset;
        }
        if (text[offset] == '\0') {
            throw SyntaxError(offset, "NUL byte in a label; expected text");
        }
        if (text[offset] != '\\') {
            return offset;
        }
        if (is_escaped(text, offset)) {
            has_escapes = true;
            ++offset;
        }
    }
}

std::string unescape(std::string_view label) {
    std::string plain;
    for (std::size_t i = 0; i < label.size(); ++i) {
        if (label[i] == '\\' && is_escaped(label, i)) {
            ++i;
        }
        plain.push_back(label[i]);
    }
    return plain;
}

}  // namespace

std::size_t BracketReader::read(std::string_view text, std::size_t offset, TreeText& tree) {
    tree.clear();
    open_.clear();
    const auto skip_space = [&] {
        while (offset < text.size() && is_space(text[offset])) {
            ++offset;
        }
    };
    const auto read_label = [&]() -> std::string_view {
        const std::size_t begin = offset;
        bool has_escapes = false;
        offset = end_of_label(text, offset, has_escapes);
        const auto label = text.substr(begin, offset - begin);
        return has_escapes ? tree.unescaped.emplace_front(unescape(label)) : label;
    };
    const auto add = [&](std::string_view label, std::uint32_t children) {
        if (tree.nodes.size() == std::numeric_limits<std::uint32_t>::max()) {
            throw SyntaxError(offset, "more than 4,294,967,295 nodes in one tree");
        }
        tree.nodes.push_back({label, children});
        if (!open_.empty()) {
            ++open_.back().children;
        }
    };

    skip_space();
    if (offset == text.size() || text[offset] != '(') {
        throw SyntaxError(offset, offset == text.size() ? std::string("no tree; expected '('")
                                                        : "found " + base::quoted(text.substr(offset, 20)) +
                                                              "; expected '(' to start a tree");
    }
    do {
        const std::size_t here = offset;
        if (text[offset] == '(') {
            ++offset;
            skip_space();
            open_.push_back({read_label(), here, 0});
            // Only the outermost bracket may go without a label: `()` and `( (S ...) )`.
            if (open_.back().label.empty() && open_.size() > 1 && offset < text.size()) {
                throw SyntaxError(offset, "empty label; expected a label after '('");
            }
        } else if (text[offset] == ')') {
            const Open closed = open_.back();
            open_.pop_back();
            ++offset;
            if (!closed.label.empty()) {
                add(closed.label, closed.children);
            } else if (closed.children > 1) {
                throw SyntaxError(closed.offset,
                                  "a bracket without a label around several trees; "
                                  "expected a label after '('");
            } else if (closed.children == 1 && tree.nodes.back().children == 0) {
                throw SyntaxError(closed.offset,
                                  "a bracket without a label around a leaf; "
                                  "expected a label after '('");
            }
        } else {
            const auto word = read_label();
            if (open_.back().label.empty()) {
                throw SyntaxError(here, "found " + base::quoted(word) +
                                            " in a bracket without a label; expected ')' or one tree");
            }
            add(word, 0);
        }
        skip_space();
    } while (!open_.empty() && offset < text.size());

    if (!open_.empty()) {
        throw SyntaxError(open_.back().offset,
                          "this '(' is never closed; expected ')' before the end of the text");
    }
    return offset;
}

}  // namespace treeline::tree
