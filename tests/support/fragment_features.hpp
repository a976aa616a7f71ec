#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "kernel/description.hpp"
#include "tree/tree_text.hpp"

namespace treeline::test {

/// Fragment text -> phi_f(t): the explicit feature map of a tree kernel, by enumeration. Exponential; for
/// small trees.
///
/// Texts are brackets: a leaf is its word, an inner node that is not expanded `(NP)`, an expanded one `(NP
/// (DT) cat)`. Partial fragments (ptk, uptk) do not tell leaves from inner nodes: every node is bracketed.
using FragmentFeatures = std::map<std::string, double>;

namespace detail {

/// Fragments rooted at a node for st and sst: its production, and under every inner child either (sst only)
/// nothing or a fragment rooted there. lambda^(1/2) a production.
inline FragmentFeatures production_fragments(const std::string& label,
                                             const std::vector<std::size_t>& children,
                                             const tree::TreeText& tree, const kernel::TreeKernel& kernel,
                                             const std::vector<FragmentFeatures>& rooted) {
    FragmentFeatures prefixes{{"(" + label, std::sqrt(kernel.lambda)}};
    for (const std::size_t child : children) {
        const std::string child_label(tree.nodes[child].label);
        FragmentFeatures choices;
        if (tree.nodes[child].children == 0) {
            choices[child_label] = 1;
        } else {
            choices = rooted[child];
            if (kernel.family().sigma() != 0) {
                choices["(" + child_label + ")"] = 1;
            }
        }
        FragmentFeatures longer;
        for (const auto& [prefix, weight] : prefixes) {
            for (const auto& [choice, choice_weight] : choices) {
                longer[prefix + " " + choice] += weight * choice_weight;
            }
        }
        prefixes = std::move(longer);
    }
    FragmentFeatures fragments;
    for (const auto& [prefix, weight] : prefixes) {
        fragments[prefix + ")"] = weight;
    }
    return fragments;
}

/// Partial fragments rooted at a node: mu^(1/2) lambda for the node alone, F^(1/2) times that if it is a leaf; with
/// children, the sum over every subsequence of them, of at most p if p is given, of mu^(1/2) lambda^(children skipped in
/// between), or lambda^span, times the features of fragments rooted there.
inline FragmentFeatures partial_fragments(const std::string& label, const std::vector<std::size_t>& children,
                                          const kernel::TreeKernel& kernel,
                                          const std::vector<FragmentFeatures>& rooted) {
    const double root = std::sqrt(kernel.mu);
    FragmentFeatures fragments{
        {"(" + label + ")", root * kernel.lambda * (children.empty() ? std::sqrt(kernel.terminal) : 1)}};
    for (std::size_t chosen = 1; chosen < (std::size_t{1} << children.size()); ++chosen) {
        const auto used = static_cast<std::size_t>(std::popcount(chosen));
        if (kernel.longest > 0 && used > kernel.longest) {
            continue;
        }
        FragmentFeatures prefixes{{"(" + label, root}};
        std::size_t first = children.size();
        std::size_t last = 0;
        for (std::size_t i = 0; i < children.size(); ++i) {
            if ((chosen >> i & 1U) == 0) {
                continue;
            }
            first = std::min(first, i);
            last = i;
            FragmentFeatures longer;
            for (const auto& [prefix, weight] : prefixes) {
                for (const auto& [fragment, fragment_weight] : rooted[children[i]]) {
                    longer[prefix + " " + fragment] += weight * fragment_weight;
                }
            }
            prefixes = std::move(longer);
        }
        const std::size_t span = last - first + 1;
        const double decay = std::pow(
            kernel.lambda, static_cast<double>(kernel.gaps == kernel::GapRule::kSpan ? span : span - used));
        for (const auto& [prefix, weight] : prefixes) {
            fragments[prefix + ")"] += decay * weight;
        }
    }
    return fragments;
}

}  // namespace detail

/// phi(t), not normalized.
[[nodiscard]] inline FragmentFeatures fragment_features(const tree::TreeText& tree,
                                                        const kernel::TreeKernel& kernel) {
    FragmentFeatures features;
    std::vector<FragmentFeatures> rooted(tree.nodes.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const std::string label(tree.nodes[i].label);
        const std::size_t arity = tree.nodes[i].children;
        const std::vector<std::size_t> children(open.end() - static_cast<std::ptrdiff_t>(arity), open.end());
        open.resize(open.size() - arity);
        open.push_back(i);
        if (kernel.family().matches_by_label()) {
            rooted[i] = detail::partial_fragments(label, children, kernel, rooted);
        } else if (arity > 0) {
            rooted[i] = detail::production_fragments(label, children, tree, kernel, rooted);
        } else if (kernel.family().leaves_stand_alone()) {
            features[label] += std::sqrt(kernel.lambda);
        }
        for (const auto& [fragment, weight] : rooted[i]) {
            const bool single = fragment == "(" + label + ")";
            if (!(single && kernel.kind == kernel::TreeKernelKind::kUptk)) {
                features[fragment] += weight;
            }
        }
    }
    return features;
}

[[nodiscard]] inline double dot(const FragmentFeatures& x, const FragmentFeatures& y) {
    double sum = 0;
    for (const auto& [fragment, weight] : x) {
        const auto found = y.find(fragment);
        sum += found == y.end() ? 0 : weight * found->second;
    }
    return sum;
}

}  // namespace treeline::test
