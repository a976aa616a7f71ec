#include "classify/tree_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace treeline::classify {

namespace {

constexpr double kCharacter = 8;
constexpr double kGap = 14;
constexpr double kLevel = 42;
constexpr double kMargin = 20;

const char* class_of(DrawnNode::Kind kind) {
    switch (kind) {
        case DrawnNode::Kind::kLeaf: return " class=\"leaf\"";
        case DrawnNode::Kind::kOpen: return " class=\"open\"";
        default: return "";
    }
}

}  // namespace

double drawn_width(std::string_view text) {
    const auto characters =
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
    return static_cast<double>(characters) * kCharacter;
}

std::string escape_markup(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            default: escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return escaped;
}

void append_drawn(std::vector<DrawnNode>& nodes, const tree::TreeText& tree) {
    for (const tree::TreeText::Node& node : tree.nodes) {
        nodes.push_back({std::string(node.label), node.children,
                         node.children == 0 ? DrawnNode::Kind::kLeaf : DrawnNode::Kind::kInner});
    }
}

void append_drawn(std::vector<DrawnNode>& nodes, fragment::FragmentView fragment,
                  const tree::SymbolTable& symbols) {
    struct Open {
        std::size_t at;
        std::uint32_t left;
    };
    std::vector<Open> open;  // nodes whose children have not all been written
    const auto add = [&](std::size_t at) {
        const fragment::FragmentNode& node = fragment[at];
        nodes.push_back({std::string(symbols.text(node.label)), fragment::child_count(node),
                         fragment::is_leaf(node)            ? DrawnNode::Kind::kLeaf
                         : fragment::child_count(node) == 0 ? DrawnNode::Kind::kOpen
                                                            : DrawnNode::Kind::kInner});
    };
    for (std::size_t at = 0; at < fragment.size(); ++at) {
        if (fragment::child_count(fragment[at]) > 0) {
            open.push_back({at, fragment[at].children});
            continue;
        }
        add(at);
        while (!open.empty() && --open.back().left == 0) {
            add(open.back().at);
            open.pop_back();
        }
    }
}

TreeDrawing::TreeDrawing(std::vector<DrawnNode> nodes, std::string prefix)
    : nodes_(std::move(nodes)), prefix_(std::move(prefix)), parents_(nodes_.size()), places_(nodes_.size()) {
    // A node pushes what follows where its label is wider than its children.
    width_ = kMargin;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const double width = drawn_width(nodes_[i].label);
        const std::size_t first = open.size() - nodes_[i].children;
        parents_[i] = i;
        if (nodes_[i].children == 0) {
            places_[i].x = width_ + width / 2;
            width_ += width + kGap;
        } else {
            places_[i].x = (places_[open[first]].x + places_[open.back()].x) / 2;
            width_ = std::max(width_, places_[i].x + width / 2 + kGap);
        }
        for (std::size_t child = first; child < open.size(); ++child) {
            parents_[open[child]] = i;
        }
        open.resize(first);
        open.push_back(i);
    }
    width_ += kMargin;
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        if (parents_[i] != i) {
            places_[i].depth = places_[parents_[i]].depth + 1;
            depth_ = std::max(depth_, places_[i].depth);
        }
    }
}

void TreeDrawing::colour(std::span<const std::uint32_t> nodes, bool positive) {
    for (const std::uint32_t node : nodes) {
        if (places_[node].colour == 0) {
            places_[node].colour = positive ? '+' : '-';
        }
    }
}

double TreeDrawing::y(std::size_t node) const {
    return kMargin + static_cast<double>(places_[node].depth) * kLevel;
}

double TreeDrawing::height() const { return 2 * kMargin + static_cast<double>(depth_) * kLevel; }

std::string TreeDrawing::body() const {
    // Lines from each parent to its children, in the order of the parents.
    std::vector<std::size_t> children;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (parents_[i] != i) {
            children.push_back(i);
        }
    }
    std::ranges::stable_sort(children, {}, [&](std::size_t child) { return parents_[child]; });
    std::string text;
    for (const std::size_t child : children) {
        const std::size_t parent = parents_[child];
        text += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                            places_[parent].x, y(parent) + 6, places_[child].x, y(child) - 14);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Place& place = places_[i];
        if (!prefix_.empty()) {
            const double width = drawn_width(nodes_[i].label) + 6;
            const char* const kind = place.colour == '+'   ? " class=\"for\""
                                     : place.colour == '-' ? " class=\"against\""
                                                           : "";
            text +=
                fmt::format("<rect id=\"{}{}\"{} x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"20\"/>",
                            prefix_, i, kind, place.x - width / 2, y(i) - 14, width);
        }
        text += fmt::format("<text{} x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", class_of(nodes_[i].kind),
                            place.x, y(i), escape_markup(nodes_[i].label));
    }
    return text;
}

std::string TreeDrawing::svg() const {
    return fmt::format("<svg width=\"{:.0f}\" height=\"{:.0f}\" role=\"img\">\n", width_, height()) + body() +
           "</svg>";
}

}  // namespace treeline::classify
