#include "tree/bracket_writer.hpp"

#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "tree/bracket_reader.hpp"

namespace treeline::tree {

void append_label(std::string& out, std::string_view label) {
    if (label.empty() || label.find_first_of(std::string_view("\0\n", 2)) != std::string_view::npos) {
        throw base::Error("cannot write the label " + base::quoted(label) +
                          " in a tree: it is empty or has a NUL byte or "
                          "a line feed");
    }
    for (std::size_t i = 0; i < label.size(); ++i) {
        // A backslash is ambiguous only before what it could take the meaning from: the text after the label
        // starts with such a character.
        const bool plain_backslash = label[i] == '\\' && i + 1 < label.size() && !is_escapable(label[i + 1]);
        if (is_escapable(label[i]) && !plain_backslash) {
            out.push_back('\\');
        }
        out.push_back(label[i]);
    }
}

void append_tree(std::string& out, const TreeText& tree, LeafStyle style) {
    const auto& nodes = tree.nodes;
    if (nodes.empty()) {
        out += "()";
        return;
    }
    // In post-order a subtree is a run that ends with its root. All nodes whose run starts at the same leaf
    // open there, outermost (latest in post-order) first: a chain per leaf, built by pushing to its front.
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::vector<std::size_t> start(nodes.size());
    std::vector<std::size_t> outermost(nodes.size(), kNone);
    std::vector<std::size_t> next_inner(nodes.size(), kNone);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        std::size_t first = i;
        for (std::uint32_t c = 0; c < nodes[i].children; ++c) {
            first = start[first - 1];
        }
        start[i] = first;
        next_inner[i] = outermost[first];
        outermost[first] = i;
    }
    const bool bracketed = style != LeafStyle::kBare || nodes.size() == 1;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].children > 0) {
            out.push_back(')');
            continue;
        }
        for (std::size_t node = outermost[i]; node != kNone; node = next_inner[node]) {
            // SVM-light-TK puts a space after a label, none between siblings.
            const bool root = node + 1 == nodes.size();
            if (!root && style != LeafStyle::kCompact &&
                (style == LeafStyle::kBare || node != outermost[i])) {
                out.push_back(' ');
            }
            if (node != i || bracketed) {
                out.push_back('(');
            }
            append_label(out, nodes[node].label);
        }
        if (bracketed) {
            out.push_back(')');
        }
    }
}

}  // namespace treeline::tree
