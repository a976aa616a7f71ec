#include "fragment/growth.hpp"

#include <cmath>

namespace treeline::fragment {

using tree::Forest;
using tree::NodeId;
using tree::ProductionId;
using tree::SymbolId;

void spell_subtree(const Forest& forest, std::span<const Step> steps, Fragment& out) {
    out.clear();
    std::vector<NodeId> pending{NodeId{steps.front().what}};
    while (!pending.empty()) {
        const NodeId node = pending.back();
        pending.pop_back();
        const auto children = forest.children(node);
        out.push_back(
            {forest.label(node), children.empty() ? kLeafNode : static_cast<std::uint32_t>(children.size())});
        pending.insert(pending.end(), children.rbegin(), children.rend());
    }
}

void spell_subset(const Forest& forest, std::span<const Step> steps, Fragment& out) {
    out.clear();
    std::vector<Forest::ProductionChild> pending;
    std::size_t next = 0;
    const auto expand = [&] {
        const ProductionId production{steps[next++].what};
        const auto children = forest.production_children(production);
        out.push_back({forest.production_label(production),
                       children.empty() ? kLeafNode : static_cast<std::uint32_t>(children.size())});
        pending.insert(pending.end(), children.rbegin(), children.rend());
        return next < steps.size() ? steps[next].where : 0;
    };
    std::uint32_t skip = expand();
    while (!pending.empty()) {
        const Forest::ProductionChild child = pending.back();
        pending.pop_back();
        if (child.leaf) {
            out.push_back({child.label, kLeafNode});
        } else if (next < steps.size() && skip == 0) {
            skip = expand();
        } else {
            out.push_back({child.label, 0});
            skip -= next < steps.size();
        }
    }
}

void spell_partial(std::span<const Step> steps, Fragment& out) {
    out.clear();
    std::vector<std::size_t> path;
    for (const Step& step : steps) {
        if (!path.empty()) {
            path.resize(step.where + 1);
            ++out[path.back()].children;
        }
        path.push_back(out.size());
        out.push_back({SymbolId{step.what}, 0});
    }
}

LabelFilter::LabelFilter(std::string_view pattern, const tree::SymbolTable& symbols) {
    if (pattern.empty()) {
        return;
    }
    matches_.reserve(symbols.size());
    for (std::uint32_t id = 0; id < symbols.size(); ++id) {
        matches_.push_back(label_matches(pattern, symbols.text(SymbolId{id})));
    }
}

bool LabelFilter::production(const Forest& forest, ProductionId production) const {
    if (label(forest.production_label(production))) {
        return true;
    }
    for (const Forest::ProductionChild& child : forest.production_children(production)) {
        if (label(child.label)) {
            return true;
        }
    }
    return false;
}

double DecayTable::operator()(std::uint32_t exponent) {
    while (powers_.size() <= exponent) {
        powers_.push_back(std::pow(lambda_, unit_ * static_cast<double>(powers_.size())));
    }
    return powers_[exponent];
}

}  // namespace treeline::fragment
