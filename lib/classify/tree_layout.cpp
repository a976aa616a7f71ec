#include "classify/tree_layout.hpp"

#include <algorithm>

#include "classify/markup.hpp"

namespace treeline::classify {

namespace {

constexpr double kGap = 14;  // between neighbouring strips

/// In units of the font size.
double width_of(char32_t c) {
    constexpr std::u32string_view kNarrow = U"ijlI.,:;'|!()[]{}`";
    constexpr std::u32string_view kSlim = U"ftr-/\\\"* ";
    constexpr std::u32string_view kWide = U"mwMWGOQ@%&";
    if (kNarrow.find(c) != std::u32string_view::npos) {
        return 0.4;
    }
    if (kSlim.find(c) != std::u32string_view::npos) {
        return 0.46;
    }
    if (kWide.find(c) != std::u32string_view::npos) {
        return 0.98;
    }
    if (c >= 0x300 && c < 0x370) {
        return 0;  // combining marks
    }
    const bool east_asian = (c >= 0x1100 && c < 0x1160) || (c >= 0x2e80 && c < 0xa4d0) ||
                            (c >= 0xac00 && c < 0xd7a4) || (c >= 0xf900 && c < 0xfb00) ||
                            (c >= 0xfe30 && c < 0xfe50) || (c >= 0xff00 && c < 0xff61) || c >= 0x1f000;
    if (east_asian) {
        return 1.05;
    }
    return c >= 'A' && c <= 'Z' ? 0.76 : 0.65;
}

/// Characters of UTF-8; bytes that are none count as one each.
template <typename Visit>
void for_each_character(std::string_view text, Visit&& visit) {
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        char32_t c = length == 1 ? lead : lead & (0xffU >> (length + 1));
        for (std::size_t i = 1; i < length && at + i < text.size(); ++i) {
            c = c << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3fU);
        }
        visit(c);
        at += length;
    }
}

}  // namespace

double drawn_width(std::string_view text) {
    double width = 0;
    for_each_character(text, [&](char32_t c) { width += width_of(c); });
    return width * TreeLayout::kFontSize;
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

std::vector<std::size_t> parents_of(const std::vector<DrawnNode>& nodes) {
    std::vector<std::size_t> parents(nodes.size());
    std::vector<std::size_t> open;  // subtrees whose parent has not been seen
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        parents[i] = i;
        const std::size_t first = open.size() - nodes[i].children;
        for (std::size_t child = first; child < open.size(); ++child) {
            parents[open[child]] = i;
        }
        open.resize(first);
        open.push_back(i);
    }
    return parents;
}

TreeLayout::TreeLayout(const std::vector<DrawnNode>& nodes)
    : parents_(parents_of(nodes)), places_(nodes.size()) {
    struct Strip {
        double left = 0;
        double width = 0;
        double below = 0;  ///< width of the children's strips with the gaps between them
        double next = 0;   ///< where the next child's strip begins
        double first = 0;  ///< x of the first and last child
        double last = 0;
    };
    std::vector<Strip> strips(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        places_[i].label = shortened(nodes[i].label, kLongestLabel);
        places_[i].width = drawn_width(places_[i].label);
        strips[i].width = std::max(places_[i].width, strips[i].below);
        if (Strip& above = strips[parents_[i]]; parents_[i] != i) {
            above.below += (above.below > 0 ? kGap : 0) + strips[i].width;
        }
    }
    std::size_t deepest = 0;
    // Parents before children, and children from right to left: `next` counts from a strip's right end.
    double end = kMargin;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        end += parents_[i] == i ? strips[i].width + kGap : 0;
    }
    width_ = nodes.empty() ? 2 * kMargin : end - kGap + kMargin;
    end = width_ - kMargin;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        double& right = parents_[i] == i ? end : strips[parents_[i]].next;
        strips[i].left = right - strips[i].width;
        right = strips[i].left - kGap;
        strips[i].next = strips[i].left + (strips[i].width + strips[i].below) / 2;
        places_[i].depth = parents_[i] == i ? 0 : places_[parents_[i]].depth + 1;
        deepest = std::max(deepest, places_[i].depth);
        places_[i].y = kMargin + kFontSize + static_cast<double>(places_[i].depth) * kLevel;
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Strip& strip = strips[i];
        const double half = places_[i].width / 2;
        const double middle =
            nodes[i].children == 0 ? strip.left + strip.width / 2 : (strip.first + strip.last) / 2;
        places_[i].x = std::max(strip.left + half, std::min(middle, strip.left + strip.width - half));
        if (Strip& above = strips[parents_[i]]; parents_[i] != i) {
            above.first = above.first == 0 ? places_[i].x : above.first;
            above.last = places_[i].x;
        }
    }
    height_ = 2 * kMargin + kFontSize + 6 + static_cast<double>(deepest) * kLevel;
}

}  // namespace treeline::classify
