#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/output.hpp"
#include "classify/markup.hpp"
#include "classify/pages.hpp"
#include "classify/tree_drawing.hpp"
#include "common/outputs.hpp"
#include "fdi/commands.hpp"
#include "fdi/relevance.hpp"
#include "store/dictionary.hpp"

namespace treeline::fdi {

namespace {

using store::Dictionary;

constexpr double kMargin = 16;
constexpr double kTitle = 26;  // height of the line above a fragment
constexpr double kRow = 1000;  // where a row of fragments ends
constexpr std::string_view kStyles =
    ".title { text-anchor: start !important; font-size: 13px !important; }\n";

/// A fragment under its number, relevance and class.
struct Figure {
    std::string title;
    classify::TreeDrawing drawing;

    [[nodiscard]] double width() const { return std::max(drawing.width(), classify::drawn_width(title)); }
    [[nodiscard]] double height() const { return kTitle + drawing.height(); }
    [[nodiscard]] std::string group(double left, double top) const {
        return fmt::format(
            "<text class=\"open title\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n"
            "<g transform=\"translate({:.1f},{:.1f})\">\n{}</g>\n",
            left + classify::TreeLayout::kMargin, top + 14, classify::escape_markup(title), left,
            top + kTitle, drawing.body());
    }
};

Figure figure_of(const Dictionary& dictionary, const Relevance& relevance, std::uint32_t id) {
    const Dictionary::Entry entry = dictionary.get(id);
    std::vector<classify::DrawnNode> nodes;
    classify::append_drawn(nodes, entry.fragment, dictionary.symbols());
    return {fmt::format("{}: {} for {}", id, classify::shown_number(relevance.value(entry.record), true),
                        classify::shortened(relevance.label(entry.record), 40)),
            classify::TreeDrawing(std::move(nodes))};
}

/// Figures from left to right in rows, as one file.
std::string sheet(const std::vector<Figure>& figures) {
    std::string groups;
    double left = kMargin;
    double top = kMargin;
    double height = 0;  // of the row
    double width = 2 * kMargin;
    for (const Figure& figure : figures) {
        if (left > kMargin && left + figure.width() > kRow) {
            left = kMargin;
            top += height + kMargin;
            height = 0;
        }
        groups += figure.group(left, top);
        left += figure.width() + kMargin;
        width = std::max(width, left);
        height = std::max(height, figure.height());
    }
    return classify::svg_file(width, top + height + kMargin,
                              std::string(classify::drawing_css()).append(kStyles), groups);
}

}  // namespace

stage::Summary draw(const Options& options, base::ProgressObserver& progress) {
    stage::Outputs outputs(stage::plan_work("fdi draw",
                                            {{"class", options.label_class},
                                             {"count", stage::value_of(options.count)},
                                             {"ids", fmt::format("{}", fmt::join(options.ids, " "))}},
                                            options.common, {options.dictionary}),
                           {{options.output, {}}}, options.common, progress);
    if (!outputs.begin()) {
        return {};
    }
    const Dictionary dictionary(options.dictionary);
    const Relevance relevance(dictionary, options.label_class);
    const std::vector<std::uint32_t> ids =
        options.ids.empty() ? relevance.ranked(options.count) : options.ids;
    std::vector<Figure> figures;
    for (const std::uint32_t id : ids) {
        figures.push_back(figure_of(dictionary, relevance, id));
    }
    base::write_whole_file(options.output, sheet(figures));
    outputs.record({{"fragments", stage::value_of(ids.size())}});
    return {ids.size(), ids.size(), 0};
}

}  // namespace treeline::fdi
