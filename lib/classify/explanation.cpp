#include "classify/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "classify/markup.hpp"
#include "example/class_set.hpp"
#include "fragment/occurrences.hpp"
#include "tree/bracket_writer.hpp"

namespace treeline::classify {

namespace {

using nlohmann::ordered_json;

double weight_of(const linear::LinearModel& model, std::uint32_t feature, std::size_t column) {
    return model.weights[feature * model.columns() + column];
}

/// Features of the row that have a weight, `weight_of_feature` being theirs.
template <typename Weight>
std::vector<Contribution> contributions(const linear::LinearModel& model, const linear::SparseRow& row,
                                        Weight&& weight_of_feature) {
    std::vector<Contribution> found;
    for (std::size_t i = 0; i < row.indices.size() && row.indices[i] < model.features; ++i) {
        const double weight = weight_of_feature(row.indices[i]);
        const auto value = static_cast<double>(row.values[i]);
        if (weight != 0) {
            found.push_back({.index = row.indices[i],
                             .value = value,
                             .weight = weight,
                             .product = weight * value,
                             .name = {}});
        }
    }
    return found;
}

/// Keeps the `count` largest; `sum` is what all of them and `bias` add up to. The rest closes the sum, so that the lines
/// add up to the value itself.
void keep_largest(std::vector<Contribution>& all, std::size_t count, double bias, double sum,
                  std::size_t& rest_count, double& rest) {
    std::ranges::stable_sort(all, std::greater<>{},
                             [](const Contribution& item) { return std::abs(item.product); });
    const std::size_t kept = std::min(count, all.size());
    double shown = bias;
    for (std::size_t i = 0; i < kept; ++i) {
        shown += all[i].product;
    }
    rest_count = all.size() - kept;
    rest = rest_count == 0 ? 0 : sum - shown;
    all.resize(kept);
}

/// The class with the next largest value after `predicted`; of two classes the other one.
std::size_t runner_up(const linear::LinearModel& model, std::span<const double> decisions,
                      std::size_t predicted) {
    if (model.labels.size() == 2) {
        return 1 - predicted;
    }
    std::size_t best = predicted == 0 ? 1 : 0;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        best = i != predicted && decisions[i] > decisions[best] ? i : best;
    }
    return best;
}

/// Score of one class less that of another.
double lead(const linear::LinearModel& model, std::span<const double> decisions, std::size_t ahead,
            std::size_t behind) {
    if (model.columns() == 1) {
        return ahead == 0 ? decisions[0] : -decisions[0];
    }
    return decisions[ahead] - decisions[behind];
}

ordered_json to_json(const std::vector<Contribution>& items) {
    ordered_json list = ordered_json::array();
    for (const Contribution& item : items) {
        ordered_json one{{"feature", item.index},
                         {"name", item.name},
                         {"value", item.value},
                         {"weight", item.weight},
                         {"contribution", item.product}};
        if (!item.by_class.empty()) {
            one["by_class"] = item.by_class;
        }
        if (!item.nodes.empty()) {
            one["nodes"] = item.nodes;
        }
        list.push_back(std::move(one));
    }
    return list;
}

void explain_contrast(Explanation& result, const linear::LinearModel& model, const linear::SparseRow& row,
                      std::span<const double> decisions, const std::vector<std::size_t>& classes,
                      std::size_t count) {
    const std::size_t predicted = classes[0];
    const std::size_t other = classes[1];
    Contrast& contrast = result.contrast;
    contrast.other = model.labels[other];
    contrast.difference = lead(model, decisions, predicted, other);
    const auto bias = [&](std::size_t column) { return model.bias_value(column); };
    contrast.bias =
        model.columns() == 1 ? (predicted == 0 ? bias(0) : -bias(0)) : bias(predicted) - bias(other);
    contrast.top = differences(model, row, predicted, other);
    keep_largest(contrast.top, count, contrast.bias, contrast.difference, contrast.rest_count, contrast.rest);
    if (model.columns() == 1) {
        return;
    }
    for (const std::size_t one : classes) {
        result.classes.push_back({model.labels[one], decisions[one], bias(one)});
        for (Contribution& item : contrast.top) {
            item.by_class.push_back(weight_of(model, item.index, one) * item.value);
        }
    }
}

}  // namespace

std::size_t find_class(const linear::LinearModel& model, std::string_view label) {
    const auto found = std::ranges::find_if(
        model.labels, [&](const std::string& one) { return example::same_class(one, label); });
    return static_cast<std::size_t>(found - model.labels.begin());
}

double margin_of(const linear::LinearModel& model, std::span<const double> decisions, std::size_t predicted) {
    return model.labels.size() < 2
               ? 0
               : lead(model, decisions, predicted, runner_up(model, decisions, predicted));
}

std::vector<Contribution> differences(const linear::LinearModel& model, const linear::SparseRow& row,
                                      std::size_t ahead, std::size_t behind) {
    return contributions(model, row, [&](std::uint32_t feature) {
        if (model.columns() == 1) {
            return ahead == 0 ? weight_of(model, feature, 0) : -weight_of(model, feature, 0);
        }
        return weight_of(model, feature, ahead) - weight_of(model, feature, behind);
    });
}

Explanation explain(const linear::LinearModel& model, const linear::SparseRow& row, std::size_t predicted,
                    std::span<const double> decisions, std::size_t count, const FeatureCatalog& features,
                    std::string_view gold) {
    const std::size_t column = model.columns() == 1 ? 0 : predicted;
    Explanation result;
    result.gold = gold;
    result.predicted = model.labels[predicted];
    result.wrong = !gold.empty() && !example::same_class(gold, result.predicted);
    result.decision = decisions[column];
    result.margin = margin_of(model, decisions, predicted);
    result.bias = model.bias_value(column);
    result.top =
        contributions(model, row, [&](std::uint32_t feature) { return weight_of(model, feature, column); });
    keep_largest(result.top, count, result.bias, result.decision, result.rest_count, result.rest);
    if (model.labels.size() >= 2) {
        std::vector<std::size_t> classes{predicted};
        const std::size_t right = result.wrong ? find_class(model, gold) : predicted;
        const std::size_t next = runner_up(model, decisions, predicted);
        for (const std::size_t one : {right, next}) {
            if (one < model.labels.size() && std::ranges::find(classes, one) == classes.end()) {
                classes.push_back(one);
            }
        }
        explain_contrast(result, model, row, decisions, classes, count);
    }
    for (std::vector<Contribution>* list : {&result.top, &result.contrast.top}) {
        for (Contribution& item : *list) {
            item.name = features.get(item.index).name;
        }
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
        std::map<std::uint32_t, std::vector<std::uint32_t>> covered;  // by feature
        for (std::vector<Contribution>* list : {&explanation.top, &explanation.contrast.top}) {
            for (Contribution& item : *list) {
                const fragment::Fragment& fragment = features.get(item.index).fragment;
                const auto [found, unseen] = covered.try_emplace(item.index);
                if (unseen && !fragment.empty()) {
                    found->second = fragment::covered_nodes(fragment, dictionary.symbols(), tree,
                                                            dictionary.info().kernel);
                }
                for (const std::uint32_t node : found->second) {
                    item.nodes.push_back(offset + node);
                }
            }
        }
    }
}

std::string sentence_of(const Explanation& explanation) {
    std::string text;
    std::string_view before;
    for (const DrawnNode& node : explanation.nodes) {
        if (node.children == 0) {
            text.append(before.empty() || !space_between(before, node.label) ? "" : " ")
                .append(spelled_word(node.label));
            before = node.label;
        }
    }
    return text;
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
    ordered_json line{{"id", explanation.id}, {"predicted", explanation.predicted}};
    if (!explanation.gold.empty()) {
        line["gold"] = explanation.gold;
    }
    line["decision"] = explanation.decision;
    line["contributions"] = to_json(explanation.top);
    line["others"] = {{"count", explanation.rest_count}, {"contribution", explanation.rest}};
    line["bias"] = explanation.bias;
    line["margin"] = explanation.margin;
    if (!explanation.classes.empty()) {
        ordered_json classes = ordered_json::array();
        for (const ScoredClass& one : explanation.classes) {
            classes.push_back({{"label", one.label}, {"score", one.score}, {"bias", one.bias}});
        }
        line["classes"] = std::move(classes);
    }
    const Contrast& contrast = explanation.contrast;
    if (!contrast.other.empty()) {
        line["contrast"] = {{"other", contrast.other},
                            {"difference", contrast.difference},
                            {"contributions", to_json(contrast.top)},
                            {"others", {{"count", contrast.rest_count}, {"contribution", contrast.rest}}},
                            {"bias", contrast.bias}};
    }
    if (!explanation.tree.empty()) {
        line["tree"] = explanation.tree;
        line["sentence"] = sentence_of(explanation);
    }
    return line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace treeline::classify
