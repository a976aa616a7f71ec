#include "classify/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "fragment/occurrences.hpp"
#include "tree/bracket_writer.hpp"

namespace treeline::classify {

Explanation explain(const linear::LinearModel& model, const linear::SparseRow& row, std::size_t predicted,
                    std::span<const double> decisions, std::size_t count, const FeatureCatalog& features) {
    const std::size_t columns = model.columns();
    const std::size_t column = columns == 1 ? 0 : predicted;
    Explanation result;
    result.predicted = model.labels[predicted];
    result.decision = decisions[column];
    result.bias = model.bias_value(column);
    for (std::size_t i = 0; i < row.indices.size() && row.indices[i] < model.features; ++i) {
        const double weight = model.weights[row.indices[i] * columns + column];
        const auto value = static_cast<double>(row.values[i]);
        if (weight != 0) {
            result.top.push_back({.index = row.indices[i],
                                  .value = value,
                                  .weight = weight,
                                  .product = weight * value,
                                  .name = {}});
        }
    }
    std::ranges::stable_sort(result.top, std::greater<>{},
                             [](const Contribution& item) { return std::abs(item.product); });
    double shown = result.bias;
    for (std::size_t i = 0; i < result.top.size() && i < count; ++i) {
        shown += result.top[i].product;
    }
    result.rest_count = result.top.size() - std::min(count, result.top.size());
    // The rest closes the sum, so that the lines add up to the decision value itself.
    result.rest = result.rest_count == 0 ? 0 : result.decision - shown;
    result.top.resize(std::min(count, result.top.size()));
    for (Contribution& item : result.top) {
        item.name = features.get(item.index).name;
    }
    return result;
}

void locate(Explanation& explanation, const example::Example& example, const store::Dictionary& dictionary,
            const FeatureCatalog& features) {
    for (const tree::TreeText& tree : example.trees()) {
        const auto offset = static_cast<std::uint32_t>(explanation.nodes.size());
        explanation.tree += explanation.tree.empty() ? "" : " ";
        tree::append_tree(explanation.tree, tree);
        append_drawn(explanation.nodes, tree);
        for (Contribution& item : explanation.top) {
            const fragment::Fragment& fragment = features.get(item.index).fragment;
            if (!fragment.empty()) {
                for (const std::uint32_t node : fragment::covered_nodes(fragment, dictionary.symbols(), tree,
                                                                        dictionary.info().kernel)) {
                    item.nodes.push_back(offset + node);
                }
            }
        }
    }
}

std::string to_text(const Explanation& explanation) {
    std::string text = fmt::format("{}\t{}\t{}", explanation.id, explanation.predicted,
                                   base::format_double(explanation.decision));
    if (!explanation.gold.empty()) {
        text += "\tgold " + explanation.gold;
    }
    text += '\n';
    if (!explanation.tree.empty()) {
        text += "  " + explanation.tree + '\n';
    }
    for (const Contribution& item : explanation.top) {
        text += fmt::format("  {:+.6f}  {}\n", item.product, item.name);
    }
    if (explanation.rest_count > 0) {
        text += fmt::format("  {:+.6f}  {} others\n", explanation.rest, explanation.rest_count);
    }
    text += fmt::format("  {:+.6f}  bias\n  {:+.6f}  total\n", explanation.bias, explanation.decision);
    return text;
}

std::string to_json_line(const Explanation& explanation) {
    nlohmann::ordered_json top = nlohmann::ordered_json::array();
    for (const Contribution& item : explanation.top) {
        top.push_back({{"feature", item.index},
                       {"name", item.name},
                       {"value", item.value},
                       {"weight", item.weight},
                       {"contribution", item.product}});
    }
    nlohmann::ordered_json line{{"id", explanation.id}, {"predicted", explanation.predicted}};
    if (!explanation.gold.empty()) {
        line["gold"] = explanation.gold;
    }
    line["decision"] = explanation.decision;
    line["contributions"] = std::move(top);
    line["others"] = {{"count", explanation.rest_count}, {"contribution", explanation.rest}};
    line["bias"] = explanation.bias;
    if (!explanation.tree.empty()) {
        line["tree"] = explanation.tree;
    }
    return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace treeline::classify
