#include "classify/tree_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "classify/markup.hpp"
#include "classify/pages.hpp"

namespace treeline::classify {

namespace {

constexpr std::size_t kRoofLabel = 26;      // characters of the words below a roof
constexpr std::size_t kLongestTitle = 500;  // of what is shown when a label that was cut is pointed at

std::string class_of(DrawnNode::Kind kind) {
    switch (kind) {
        case DrawnNode::Kind::kLeaf: return " class=\"leaf\"";
        case DrawnNode::Kind::kOpen: return " class=\"open\"";
        case DrawnNode::Kind::kRoof: return " class=\"roof\"";
        case DrawnNode::Kind::kInner: break;
    }
    return {};
}

}  // namespace

TreeDrawing::TreeDrawing(std::vector<DrawnNode> nodes, std::string prefix)
    : nodes_(std::move(nodes)),
      prefix_(std::move(prefix)),
      layout_(nodes_),
      numbers_(nodes_.size()),
      amounts_(nodes_.size()) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        numbers_[i] = static_cast<std::uint32_t>(i);
    }
}

void TreeDrawing::tint(std::span<const std::uint32_t> nodes, double amount) {
    for (const std::uint32_t node : nodes) {
        amounts_[node] += amount;
    }
}

std::vector<double> TreeDrawing::strengths() const {
    double largest = 0;
    for (const double amount : amounts_) {
        largest = std::max(largest, std::abs(amount));
    }
    std::vector<double> shares = amounts_;
    for (double& share : shares) {
        share = largest == 0 ? 0 : share / largest;
    }
    return shares;
}

TreeDrawing TreeDrawing::roofed(std::string prefix) const {
    // A subtree is plain if nothing in it is tinted; the words of the largest plain ones go below a roof.
    std::vector<bool> plain(nodes_.size());
    std::vector<std::string> words(nodes_.size());
    const std::vector<std::size_t>& parents = layout_.parents();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        plain[i] = amounts_[i] == 0;
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        words[i] = nodes_[i].children == 0 ? std::string(spelled_word(nodes_[i].label)) : std::move(words[i]);
        if (const std::size_t parent = parents[i]; parent != i) {
            plain[parent] = plain[parent] && plain[i];
            words[parent] += (words[parent].empty() ? "" : " ") + words[i];
        }
    }
    std::vector<bool> roof(nodes_.size());
    std::vector<bool> hidden(nodes_.size());
    std::vector<DrawnNode> kept;
    std::vector<std::uint32_t> numbers;
    std::vector<double> amounts;
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        roof[i] = plain[i] && nodes_[i].children > 0 && words[i].find(' ') != std::string::npos;
        hidden[i] = parents[i] != i && (hidden[parents[i]] || roof[parents[i]]);
        if (hidden[i]) {
            continue;
        }
        kept.push_back({nodes_[i].label, roof[i] ? 1 : nodes_[i].children, nodes_[i].kind});
        numbers.push_back(static_cast<std::uint32_t>(i));
        amounts.push_back(amounts_[i]);
        if (roof[i]) {
            kept.push_back({shortened(words[i], kRoofLabel), 0, DrawnNode::Kind::kRoof});
            numbers.push_back(static_cast<std::uint32_t>(i));
            amounts.push_back(0);
        }
    }
    std::ranges::reverse(kept);
    std::ranges::reverse(numbers);
    std::ranges::reverse(amounts);
    TreeDrawing drawing(std::move(kept), std::move(prefix));
    drawing.numbers_ = std::move(numbers);
    drawing.amounts_ = std::move(amounts);
    return drawing;
}

std::string TreeDrawing::words() const {
    std::string text;
    for (const DrawnNode& node : nodes_) {
        if (node.children == 0) {
            text.append(text.empty() ? "" : " ").append(node.label);
        }
    }
    return text;
}

std::string TreeDrawing::lines() const {
    std::string text;
    for (std::size_t child = 0; child < nodes_.size(); ++child) {
        const std::size_t parent = layout_.parents()[child];
        if (parent == child) {
            continue;
        }
        const TreeLayout::Place& from = layout_[parent];
        const TreeLayout::Place& to = layout_[child];
        const double top = from.y + 6;
        const double bottom = to.y - TreeLayout::kFontSize - 1;
        if (nodes_[child].kind == DrawnNode::Kind::kRoof) {
            text += fmt::format("<polygon points=\"{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\"/>\n", from.x,
                                top, to.x - to.width / 2, bottom, to.x + to.width / 2, bottom);
        } else {
            text += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", from.x,
                                top, to.x, bottom);
        }
    }
    return text;
}

std::string TreeDrawing::node(std::size_t at, double strength) const {
    const TreeLayout::Place& place = layout_[at];
    std::string text;
    if (!prefix_.empty() && nodes_[at].kind != DrawnNode::Kind::kRoof) {
        const std::string tint =
            strength == 0 ? std::string()
                          : fmt::format(" class=\"{}\" fill-opacity=\"{:.2f}\"",
                                        strength > 0 ? "for" : "against", 0.08 + 0.42 * std::abs(strength));
        text = fmt::format(
            "<rect id=\"{}\"{} x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\" rx=\"4\"/>",
            id(static_cast<std::uint32_t>(at)), tint, place.x - place.width / 2 - 4,
            place.y - TreeLayout::kFontSize - 1, place.width + 8, TreeLayout::kFontSize + 7);
    }
    std::string label = escape_markup(place.label);
    if (place.label != nodes_[at].label) {
        label += "<title>" + escape_markup(shortened(nodes_[at].label, kLongestTitle)) + "</title>";
    }
    return text + fmt::format("<text{} x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", class_of(nodes_[at].kind),
                              place.x, place.y, label);
}

std::string TreeDrawing::body() const {
    std::string text = lines();
    const std::vector<double> tints = strengths();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        text += node(i, tints[i]);
    }
    return text;
}

std::string TreeDrawing::svg() const {
    const double root = nodes_.empty() ? 0 : layout_[nodes_.size() - 1].x;
    return fmt::format(
               "<svg class=\"tree\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
               "aria-label=\"{2}\" data-root=\"{3:.3f}\" style=\"--width:{0:.0f}\">\n",
               std::ceil(width()), std::ceil(height()), escape_markup(shortened(words(), kLongestTitle)),
               root / width()) +
           body() + "</svg>";
}

std::string TreeDrawing::file() const { return svg_file(width(), height(), drawing_css(), body()); }

std::string svg_file(double width, double height, std::string_view styles, std::string_view body) {
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tree\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\">\n<style>\n{2}</style>\n{3}</svg>\n",
        std::ceil(width), std::ceil(height), with_values(styles), body);
}

}  // namespace treeline::classify
