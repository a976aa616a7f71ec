#include "tree/bracket_writer.hpp"

#include <cstdint>
#include <vector>

#include "tree/bracket_reader.hpp"

namespace treeline::tree {

void append_label(std::string& out, std::string_view label) {
    for (std::size_t i = 0; i < label.size(); ++i) {
        const char c = label[i];
        const bool last = i + 1 == label.size();
        const bool special = c == '(' || c == ')' || is_space(c);
        const bool ambiguous = c == '\\' && (last || label[i + 1] == '(' || label[i + 1] == ')' ||
                                             label[i + 1] == '\\' || is_space(label[i + 1]));
        if (special || ambiguous) {
            out.push_back('\\');
        }
        out.push_back(c);
    }
}

void append_tree(std::string& out, const TreeText& tree, LeafStyle style) {
    const auto& nodes = tree.nodes;
    if (nodes.empty()) {
        out += "()";
        return;
    }
    // In post-order a subtree is a run that ends with its root. All nodes whose run starts at the same leaf open
    // there, outermost (latest in post-order) first: a chain per leaf, built by pushing to its front.
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
    const bool bracketed = style == LeafStyle::kBracketed || nodes.size() == 1;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].children > 0) {
            out.push_back(')');
            continue;
        }
        for (std::size_t node = outermost[i]; node != kNone; node = next_inner[node]) {
            // SVM-light-TK puts a space behind a label, none between siblings.
            const bool first_text = node + 1 == nodes.size();
            if (!first_text && (style == LeafStyle::kBare || node != outermost[i] || out.back() != ')')) {
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
