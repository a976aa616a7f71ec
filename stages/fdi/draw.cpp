#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/output.hpp"
#include "base/text.hpp"
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

/// A fragment under its number and relevance, as a group at `top`; `width` grows to hold it.
std::string svg_group(const Dictionary& dictionary, const Relevance& relevance, std::uint32_t id, double top,
                      double& width, double& height) {
    const Dictionary::Entry entry = dictionary.get(id);
    std::vector<classify::DrawnNode> nodes;
    classify::append_drawn(nodes, entry.fragment, dictionary.symbols());
    const classify::TreeDrawing drawing(std::move(nodes));
    const std::string title =
        fmt::format("{}: {} for {}", id, base::format_double(relevance.value(entry.record)),
                    relevance.label(entry.record));
    width = std::max({width, drawing.width(), classify::drawn_width(title) + 2 * kMargin});
    height = kTitle + drawing.height();
    return fmt::format(
        "<text class=\"t\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n"
        "<g transform=\"translate(0,{:.1f})\">\n{}</g>\n",
        kMargin, top + 12, classify::escape_markup(title), top + kTitle, drawing.body());
}

}  // namespace

stage::Summary draw(const Options& options, base::ProgressObserver& progress) {
    stage::Outputs outputs(stage::plan_work("fdi draw",
                                            {{"count", stage::value_of(options.count)},
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
    std::string groups;
    double width = 2 * kMargin;
    double top = kMargin;
    for (const std::uint32_t id : ids) {
        double height = 0;
        groups += svg_group(dictionary, relevance, id, top, width, height);
        top += height + kMargin;
    }
    base::write_whole_file(
        options.output,
        fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
                    "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n"
                    "<style>text {{ font: 13px sans-serif; text-anchor: middle }} .t {{ text-anchor: start; "
                    "fill: #666 }} .leaf {{ font-style: italic; fill: #064 }} .open {{ fill: #888 }} line {{ "
                    "stroke: #999 }}</style>\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
                    "{2}</svg>\n",
                    width, top, groups));
    outputs.record({{"fragments", stage::value_of(ids.size())}});
    return {ids.size(), ids.size(), 0};
}

}  // namespace treeline::fdi
