#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "classify/explanation.hpp"
#include "classify/tree_drawing.hpp"

namespace treeline::classify {

std::string html_head() {
    return R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Explanations</title>
<style>
body { font: 15px/1.4 sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #222; }
section { border-top: 1px solid #ccc; padding: 1em 0; }
h2 { font-size: 1.1em; margin: 0 0 .5em; }
.wrong { color: #a4262c; }
.drawing { overflow-x: auto; }
table { border-collapse: collapse; }
td { padding: .1em .6em; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td code { word-break: break-word; }
tr[data-nodes]:hover { background: #fff3c4; }
tr.total td { border-top: 1px solid #888; font-weight: bold; }
.for { color: #1b6e3c; }
.against { color: #a4262c; }
svg text { font: 13px sans-serif; text-anchor: middle; }
svg .leaf { font-style: italic; }
svg line { stroke: #999; }
svg rect { fill: none; rx: 4; }
svg rect.for { fill: #d5efdd; }
svg rect.against { fill: #f8d7da; }
svg rect.lit { stroke: #b58900; stroke-width: 2; }
</style>
</head>
<body>
<h1>Explanations</h1>
<p>Each decision is the sum of the contributions below it. Nodes are coloured by the strongest fragment that they are part of:
<span class="for">for</span> or <span class="against">against</span>. Point at a fragment to see where it is.</p>
)";
}

std::string html_foot() {
    return R"(<script>
for (const row of document.querySelectorAll('tr[data-nodes]')) {
  const light = on => row.dataset.nodes.split(' ').filter(Boolean).forEach(
    id => document.getElementById(id).classList.toggle('lit', on));
  row.addEventListener('mouseenter', () => light(true));
  row.addEventListener('mouseleave', () => light(false));
}
</script>
</body>
</html>
)";
}

std::string to_html(const Explanation& explanation) {
    const bool wrong = !explanation.gold.empty() && explanation.gold != explanation.predicted;
    std::string page =
        fmt::format("<section id=\"e{}\">\n<h2>Example {}: <span{}>{}</span>{}</h2>\n", explanation.id,
                    explanation.id, wrong ? " class=\"wrong\"" : "", escape_markup(explanation.predicted),
                    explanation.gold.empty() ? "" : ", gold " + escape_markup(explanation.gold));
    TreeDrawing drawing(explanation.nodes, fmt::format("e{}n", explanation.id));
    if (!explanation.nodes.empty()) {
        for (const Contribution& item : explanation.top) {
            drawing.colour(item.nodes, item.product > 0);
        }
        page += "<div class=\"drawing\">" + drawing.svg() + "</div>\n";
    }
    page += "<table>\n";
    const auto add_row = [&](const std::string& attributes, double value, const std::string& what) {
        page += fmt::format("<tr{}><td class=\"number {}\">{:+.6f}</td><td>{}</td></tr>\n", attributes,
                            value > 0 ? "for" : "against", value, what);
    };
    for (const Contribution& item : explanation.top) {
        std::string nodes;
        for (const std::uint32_t node : item.nodes) {
            nodes += (nodes.empty() ? "" : " ") + drawing.id(node);
        }
        add_row(" data-nodes=\"" + nodes + "\"", item.product,
                "<code>" + escape_markup(item.name) + "</code>");
    }
    if (explanation.rest_count > 0) {
        add_row("", explanation.rest, fmt::format("{} others", explanation.rest_count));
    }
    add_row("", explanation.bias, "bias");
    add_row(" class=\"total\"", explanation.decision, "total");
    return page + "</table>\n</section>\n";
}

}  // namespace treeline::classify
