#include "classify/tree_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fragment/fragment.hpp"
#include "tree/bracket_reader.hpp"
#include "tree/syntax_error.hpp"

namespace treeline::classify {

namespace {

constexpr double kCharacter = 8;
constexpr double kGap = 14;
constexpr double kLevel = 42;
constexpr double kMargin = 20;

/// Characters of a UTF-8 text.
std::size_t length_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

double width_of(std::string_view label) { return static_cast<double>(length_of(label)) * kCharacter; }

}  // namespace

std::string escape_html(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            default: escaped += c;
        }
    }
    return escaped;
}

TreeDrawing::TreeDrawing(const std::string& tree, std::string prefix) : prefix_(std::move(prefix)) {
    tree::BracketReader reader;
    for (std::size_t offset = 0; offset < tree.size();) {
        tree::TreeText read;
        offset = reader.read(tree, offset, read);
        std::vector<std::size_t> open;
        for (const auto& node : read.nodes) {
            const auto first = open.end() - static_cast<std::ptrdiff_t>(node.children);
            nodes_.push_back({.label = std::string(node.label), .children = {first, open.end()}});
            open.erase(first, open.end());
            open.push_back(nodes_.size() - 1);
        }
        roots_.insert(roots_.end(), open.begin(), open.end());
    }
    place();
}

void TreeDrawing::place() {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        for (const std::size_t child : nodes_[i].children) {
            nodes_[child].depth = nodes_[i].depth + 1;
            depth_ = std::max(depth_, nodes_[child].depth);
        }
    }
    // Leaves from left to right; a node stands over the middle of its children, and pushes what follows where
    // its label is wider than they are.
    width_ = kMargin;
    for (Node& node : nodes_) {
        const double width = width_of(node.label);
        if (node.children.empty()) {
            node.x = width_ + width / 2;
            width_ += width + kGap;
        } else {
            node.x = (nodes_[node.children.front()].x + nodes_[node.children.back()].x) / 2;
            width_ = std::max(width_, node.x + width / 2 + kGap);
        }
    }
    width_ += kMargin;
}

std::vector<std::size_t> TreeDrawing::occurrences(const std::string& fragment) const {
    tree::SymbolTable symbols;
    fragment::Fragment pattern;
    try {
        pattern = fragment::parse_fragment(fragment, symbols);
    } catch (const tree::SyntaxError&) {
        return {};
    }
    const auto fits = [&](const fragment::FragmentNode& wanted, const Node& node) {
        const bool leaf = node.children.empty();
        return symbols.text(wanted.label) == node.label && fragment::is_leaf(wanted) == leaf &&
               (fragment::child_count(wanted) == 0 || wanted.children == node.children.size());
    };
    std::vector<std::size_t> found;
    std::vector<std::size_t> pending;
    std::vector<std::size_t> reached;
    for (std::size_t root = 0; root < nodes_.size(); ++root) {
        pending.assign(1, root);
        reached.clear();
        for (const fragment::FragmentNode& wanted : pattern) {
            const std::size_t at = pending.back();
            pending.pop_back();
            if (!fits(wanted, nodes_[at])) {
                break;
            }
            reached.push_back(at);
            if (fragment::child_count(wanted) > 0) {
                pending.insert(pending.end(), nodes_[at].children.rbegin(), nodes_[at].children.rend());
            }
        }
        if (reached.size() == pattern.size()) {
            found.insert(found.end(), reached.begin(), reached.end());
        }
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

void TreeDrawing::colour(const std::string& fragment, bool positive) {
    for (const std::size_t node : occurrences(fragment)) {
        if (nodes_[node].colour == 0) {
            nodes_[node].colour = positive ? '+' : '-';
        }
    }
}

std::string TreeDrawing::nodes_of(const std::string& fragment) const {
    std::string ids;
    for (const std::size_t node : occurrences(fragment)) {
        ids += (ids.empty() ? "" : " ") + prefix_ + std::to_string(node);
    }
    return ids;
}

std::string TreeDrawing::svg() const {
    const auto y = [](const Node& node) { return kMargin + static_cast<double>(node.depth) * kLevel; };
    const double height = 2 * kMargin + static_cast<double>(depth_) * kLevel;
    std::string text = fmt::format("<svg width=\"{:.0f}\" height=\"{:.0f}\" role=\"img\">\n", width_, height);
    for (const Node& node : nodes_) {
        for (const std::size_t child : node.children) {
            text += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", node.x,
                                y(node) + 6, nodes_[child].x, y(nodes_[child]) - 14);
        }
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        const double width = width_of(node.label) + 6;
        const char* const kind = node.colour == '+'   ? " class=\"for\""
                                 : node.colour == '-' ? " class=\"against\""
                                                      : "";
        text += fmt::format(
            "<rect id=\"{}{}\"{} x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"20\"/>"
            "<text{} x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
            prefix_, i, kind, node.x - width / 2, y(node) - 14, width,
            node.children.empty() ? " class=\"leaf\"" : "", node.x, y(node), escape_html(node.label));
    }
    return text + "</svg>";
}

}  // namespace treeline::classify
