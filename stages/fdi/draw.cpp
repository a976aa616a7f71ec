#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/output.hpp"
#include "base/text.hpp"
#include "fdi/commands.hpp"
#include "store/dictionary.hpp"

namespace treeline::fdi {

namespace {

using store::Dictionary;

constexpr double kLevel = 46;    // height of a level
constexpr double kLetter = 8.4;  // width of a letter of the font used
constexpr double kGap = 18;      // between neighbours
constexpr double kMargin = 16;

/// Text as it may stand in XML; control characters, which may not, as spaces.
std::string xml(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '&': out += "&amp;"; break;
            case '"': out += "&quot;"; break;
            default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return out;
}

std::size_t letters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

/// Places every node: childless ones side by side, the others over the middle of their children.
struct Layout {
    std::vector<double> x;
    std::vector<std::size_t> level;
    std::vector<std::size_t> parent;
    double width = 0;
    double height = 0;

    Layout(fragment::FragmentView fragment, const tree::SymbolTable& symbols)
        : x(fragment.size()), level(fragment.size()), parent(fragment.size()) {
        std::vector<std::pair<std::size_t, std::uint32_t>> open;
        double right = 0;
        for (std::size_t i = 0; i < fragment.size(); ++i) {
            level[i] = open.size();
            parent[i] = open.empty() ? i : open.back().first;
            height = std::max(height, static_cast<double>(level[i] + 1) * kLevel);
            if (child_count(fragment[i]) > 0) {
                open.emplace_back(i, fragment[i].children);
                continue;
            }
            const double own = static_cast<double>(letters(symbols.text(fragment[i].label))) * kLetter + kGap;
            x[i] = right + own / 2;
            right += own;
            while (!open.empty() && --open.back().second == 0) {
                open.pop_back();
            }
        }
        std::vector<double> first(fragment.size(), -1);
        std::vector<double> last(fragment.size(), -1);
        for (std::size_t i = fragment.size(); i-- > 0;) {
            if (child_count(fragment[i]) > 0) {
                x[i] = (first[i] + last[i]) / 2;
            }
            if (i > 0) {
                first[parent[i]] = x[i];
                last[parent[i]] = last[parent[i]] < 0 ? x[i] : last[parent[i]];
            }
            const double half = static_cast<double>(letters(symbols.text(fragment[i].label))) * kLetter / 2;
            right = std::max(right, x[i] + half);
        }
        width = right;
    }
};

std::string svg_group(const Dictionary& dictionary, const Dictionary::Entry& entry, double top, double& width,
                      double& height) {
    const Layout layout(entry.fragment, dictionary.symbols());
    const std::string title = fmt::format("{}: {}", entry.id, base::format_double(entry.record.relevance));
    const double head = 26;
    std::string text = fmt::format(
        "<g transform=\"translate({:.1f},{:.1f})\">\n<text class=\"t\" x=\"0\" y=\"12\">{}</text>\n", kMargin,
        top, xml(title));
    const auto y = [&](std::size_t node) {
        return head + static_cast<double>(layout.level[node]) * kLevel + 14;
    };
    for (std::size_t i = 1; i < entry.fragment.size(); ++i) {
        const std::size_t parent = layout.parent[i];
        text += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                            layout.x[parent], y(parent) + 5, layout.x[i], y(i) - 14);
    }
    for (std::size_t i = 0; i < entry.fragment.size(); ++i) {
        const fragment::FragmentNode& node = entry.fragment[i];
        const char* kind = is_leaf(node) ? "w" : node.children == 0 ? "o" : "n";
        text += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", kind, layout.x[i],
                            y(i), xml(dictionary.symbols().text(node.label)));
    }
    width =
        std::max(width, std::max(layout.width, static_cast<double>(title.size()) * kLetter) + 2 * kMargin);
    height = head + layout.height;
    return text + "</g>\n";
}

}  // namespace

stage::Summary draw(const Options& options) {
    const Dictionary dictionary(options.dictionary);
    std::vector<std::uint32_t> ids = options.ids;
    for (std::uint32_t id = 0; options.ids.empty() && id < std::min(options.count, dictionary.size()); ++id) {
        ids.push_back(id);
    }
    std::string groups;
    double width = 2 * kMargin;
    double top = kMargin;
    for (const std::uint32_t id : ids) {
        double height = 0;
        groups += svg_group(dictionary, dictionary.get(id), top, width, height);
        top += height + kMargin;
    }
    base::write_whole_file(
        options.output,
        fmt::format(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
            "{0:.0f} {1:.0f}\">\n"
            "<style>text {{ font: 14px monospace; text-anchor: middle }} .t {{ text-anchor: start; fill: "
            "#666 }} "
            ".w {{ font-style: italic; fill: #064 }} .o {{ fill: #888 }} line {{ stroke: #999 }}</style>\n"
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{2}</svg>\n",
            width, top, groups));
    return {ids.size(), ids.size(), 0};
}

}  // namespace treeline::fdi
