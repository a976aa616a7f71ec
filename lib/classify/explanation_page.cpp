#include "classify/explanation_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "classify/explanation.hpp"
#include "classify/markup.hpp"
#include "classify/pages.hpp"
#include "classify/tree_drawing.hpp"

namespace treeline::classify {

namespace {

constexpr double kRoofedWidth = 900;      // a drawing that is wider is shown with roofs first
constexpr std::size_t kMostNodes = 3000;  // of trees that are drawn
constexpr std::string_view kBody = "@BODY@";

std::string explanation_frame() {
    return fill_page(explain_html(), std::string(site_js()).append(explain_js()));
}

/// The leaves as sentences, a paragraph a tree, words tinted as in the drawing: by their own tint, else by that of the
/// node above them.
std::string sentences(const TreeDrawing& drawing) {
    const std::vector<DrawnNode>& nodes = drawing.nodes();
    const std::vector<double> strengths = drawing.strengths();
    const std::vector<std::size_t> parents = parents_of(nodes);
    std::string text;
    std::string_view before;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].children == 0) {
            const double strength = strengths[i] != 0 ? strengths[i] : strengths[parents[i]];
            const std::string word = escape_markup(spelled_word(nodes[i].label));
            text += before.empty() || !space_between(before, nodes[i].label) ? "" : " ";
            text += strength == 0 ? word
                                  : fmt::format("<mark class=\"{}\" style=\"--strength:{:.2f}\">{}</mark>",
                                                strength > 0 ? "for" : "against", std::abs(strength), word);
            before = nodes[i].label;
        }
        if (parents[i] == i) {
            text += i + 1 < nodes.size() ? "</p>\n<p class=\"sentence\">" : "";
            before = {};
        }
    }
    return "<p class=\"sentence\">" + text + "</p>\n";
}

std::string drawings(const Explanation& explanation, TreeDrawing& drawing) {
    if (explanation.nodes.size() > kMostNodes) {
        return fmt::format("<p class=\"note\">{} nodes: too many to draw.</p>\n",
                           shown_count(explanation.nodes.size()));
    }
    const auto box = [](const TreeDrawing& one) {
        return "<div class=\"drawing\">" + one.svg() + "</div>\n";
    };
    if (drawing.width() > kRoofedWidth) {
        const TreeDrawing roofed = drawing.roofed(fmt::format("e{}r", explanation.id));
        if (roofed.width() < 0.9 * drawing.width()) {
            return box(roofed) + "<details><summary>the whole tree</summary>" + box(drawing) + "</details>\n";
        }
    }
    return box(drawing);
}

/// What a class of the explanation is in it.
const char* role_of(const Explanation& explanation, std::size_t which) {
    return which == 0 ? "predicted" : which == 1 && explanation.wrong ? "gold" : "runner-up";
}

std::string scores(const Explanation& explanation) {
    std::string text;
    for (std::size_t i = 0; i < explanation.classes.size(); ++i) {
        const ScoredClass& one = explanation.classes[i];
        text += fmt::format("{}<b>{}</b> {} <span class=\"quiet\">({})</span>", text.empty() ? "" : ", ",
                            escape_markup(shortened(one.label, 40)), shown_number(one.score),
                            role_of(explanation, i));
    }
    return text.empty() ? text : "<p class=\"scores\">Scores: " + text + "</p>\n";
}

/// A table whose lines continue one another from 0 to the sum.
class Waterfall {
  public:
    Waterfall(const Explanation& explanation) : explanation_(explanation) {
        const Contrast& contrast = explanation.contrast;
        double at = reach(contrast.bias);
        for (const Contribution& item : contrast.top) {
            at = reach(at + item.product);
        }
        reach(at + contrast.rest);
        reach(contrast.difference);
        decimals_ = decimals_for(std::max(high_, -low_));
    }

    std::string table(const TreeDrawing& drawing) {
        const Contrast& contrast = explanation_.contrast;
        std::string rows = row("", "bias", contrast.bias, biases());
        for (const Contribution& item : contrast.top) {
            std::string nodes;
            for (const std::uint32_t node : item.nodes) {
                nodes += (nodes.empty() ? "" : " ") + drawing.id(node);
            }
            rows += row(" tabindex=\"0\" data-nodes=\"" + nodes + "\"",
                        "<code>" + escape_markup(item.name) + "</code>", item.product, item.by_class);
        }
        if (contrast.rest_count > 0) {
            rows +=
                row("", shown_count(contrast.rest_count) + (contrast.rest_count > 1 ? " others" : " other"),
                    contrast.rest, {});
        }
        at_ = 0;
        std::vector<double> scores;
        for (const ScoredClass& one : explanation_.classes) {
            scores.push_back(one.score);
        }
        rows += row(" class=\"total\"", "lead of " + escape_markup(shortened(explanation_.predicted, 40)),
                    contrast.difference, scores);
        return "<div class=\"scroll\"><table class=\"why\"><thead><tr><th>fragment</th><th>from bias to decision</th>"
               "<th class=\"number\">adds</th>" +
               class_heads() + "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
    }

  private:
    double reach(double value) {
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
        return value;
    }
    [[nodiscard]] double percent(double value) const {
        return high_ > low_ ? 100 * (value - low_) / (high_ - low_) : 0;
    }
    [[nodiscard]] std::vector<double> biases() const {
        std::vector<double> values;
        for (const ScoredClass& one : explanation_.classes) {
            values.push_back(one.bias);
        }
        return values;
    }
    [[nodiscard]] std::string class_heads() const {
        std::string text;
        for (std::size_t i = 0; i < explanation_.classes.size(); ++i) {
            const std::string& label = explanation_.classes[i].label;
            text += fmt::format("<th class=\"number side\" title=\"{}\">{}<br>{}</th>",
                                escape_markup(shortened(label, 200)), escape_markup(shortened(label, 16)),
                                role_of(explanation_, i));
        }
        return text;
    }
    /// Sums, which start at 0, are grey.
    std::string row(const std::string& attributes, const std::string& what, double value,
                    const std::vector<double>& by_class) {
        const bool sum = attributes.find("total") != std::string::npos;
        const double from = percent(std::min(at_, at_ + value));
        const double width = percent(std::max(at_, at_ + value)) - from;
        const char* const side = value >= 0 ? "for" : "against";
        at_ += value;
        std::string sides;
        for (const double one : by_class) {
            sides +=
                fmt::format("<td class=\"number side quiet\">{}</td>", fixed_number(one, decimals_, !sum));
        }
        for (std::size_t i = by_class.size(); i < explanation_.classes.size(); ++i) {
            sides += "<td class=\"side\"></td>";
        }
        return fmt::format(
            "<tr{}><td class=\"what\">{}</td><td class=\"fall\"><div class=\"track\" style=\"--zero:{:.2f}%\"><i class=\"{}\" "
            "style=\"left:{:.2f}%;width:{:.2f}%\"></i></div></td><td class=\"number {}\" data-value=\"{}\">{}</td>{}</tr>\n",
            attributes, what, percent(0), sum ? "sum" : side, from, width, sum ? "" : side,
            base::format_double(value), fixed_number(value, decimals_, !sum), sides);
    }

    const Explanation& explanation_;
    double low_ = 0;
    double high_ = 0;
    double at_ = 0;
    int decimals_ = 0;
};

std::string heading(const Explanation& explanation) {
    const std::string predicted = escape_markup(shortened(explanation.predicted, 60));
    const std::string gold = escape_markup(shortened(explanation.gold, 60));
    std::string text = fmt::format("<h2><a href=\"#e{0}\">Example {0}</a>: {1}", explanation.id, predicted);
    if (explanation.wrong) {
        text += fmt::format(
            " <span class=\"badge against\">wrong</span> <span class=\"quiet\">gold is</span> {}", gold);
    } else if (!explanation.gold.empty()) {
        text += " <span class=\"badge for\">right</span>";
    }
    return text + "</h2>\n";
}

TreeDrawing tinted_drawing(const Explanation& explanation) {
    TreeDrawing drawing(explanation.nodes, fmt::format("e{}n", explanation.id));
    for (const Contribution& item : explanation.contrast.top) {
        drawing.tint(item.nodes, item.product);
    }
    return drawing;
}

}  // namespace

std::string html_head(std::string_view title, std::string_view links) {
    std::string head = explanation_frame();
    head.resize(head.find(kBody));
    const std::string shown = escape_markup(title);
    return filled(filled(filled(std::move(head), "@TITLE@", shown), "@TITLE@", shown), "@LINKS@", links);
}

std::string html_foot() {
    const std::string frame = explanation_frame();
    return frame.substr(frame.find(kBody) + kBody.size());
}

std::string to_html(const Explanation& explanation) {
    std::string page = fmt::format(
        "<section class=\"example{}\" id=\"e{}\" data-id=\"{}\" data-gold=\"{}\" data-predicted=\"{}\" data-margin=\"{}\" "
        "tabindex=\"-1\">\n",
        explanation.wrong ? " wrong" : "", explanation.id, explanation.id, escape_markup(explanation.gold),
        escape_markup(explanation.predicted), base::format_double(explanation.margin));
    page += heading(explanation);
    TreeDrawing drawing = tinted_drawing(explanation);
    if (!explanation.nodes.empty()) {
        page += sentences(drawing) + drawings(explanation, drawing);
    }
    page += scores(explanation);
    page += fmt::format("<h3>Why {} and not {}{}</h3>\n", escape_markup(shortened(explanation.predicted, 60)),
                        escape_markup(shortened(explanation.contrast.other, 60)),
                        explanation.wrong             ? ", the gold class"
                        : explanation.classes.empty() ? ""
                                                      : ", the runner-up");
    return page + Waterfall(explanation).table(drawing) + "</section>\n";
}

std::string to_svg_file(const Explanation& explanation) { return tinted_drawing(explanation).file(); }

}  // namespace treeline::classify
