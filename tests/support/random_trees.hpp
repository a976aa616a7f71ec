#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "tree/bracket_reader.hpp"
#include "tree/tree_text.hpp"

namespace treeline::test {

/// What random_tree() draws from. The alphabets are small so that labels, productions and whole subtrees
/// repeat within and between trees.
struct RandomTreeOptions {
    std::size_t most_nodes = 25;    ///< inner nodes stop branching once this many nodes were promised
    std::size_t most_children = 4;  ///< of one node
    std::vector<std::string> labels{"S", "NP", "VP", "N"};
    std::vector<std::string> words{"a", "b", "N"};  ///< of leaves; shares a label with inner nodes on purpose
};

/// A tree with leaves beside inner nodes, unary chains and several words under a node; sometimes one leaf
/// alone. Depends on the state of `random` alone. The labels are views of `options`, which must outlive the
/// tree.
[[nodiscard]] inline tree::TreeText random_tree(base::Random& random, const RandomTreeOptions& options) {
    const auto pick = [&](const std::vector<std::string>& from) -> const std::string& {
        return from[random.below(from.size())];
    };
    // Reversed post-order: a node before its children, children from right to left.
    tree::TreeText tree;
    std::size_t promised = 1;
    std::vector<std::size_t> levels{0};
    while (!levels.empty()) {
        const std::size_t level = levels.back();
        levels.pop_back();
        const bool leaf =
            promised >= options.most_nodes || random.below(5) < (level == 0 ? 0 : 1 + level / 3);
        if (leaf || (level == 0 && random.below(50) == 0)) {
            tree.nodes.push_back({pick(options.words), 0});
            continue;
        }
        const std::size_t children = random.below(3) == 0 ? 1 : 1 + random.below(options.most_children);
        promised += children;
        tree.nodes.push_back({pick(options.labels), static_cast<std::uint32_t>(children)});
        levels.insert(levels.end(), children, level + 1);
    }
    return {{tree.nodes.rbegin(), tree.nodes.rend()}, {}};
}

/// The tree of a text that holds nothing else, for literals in tests; its labels are views of `text`.
[[nodiscard]] inline tree::TreeText tree_of(std::string_view text) {
    tree::TreeText tree;
    const std::size_t end = tree::BracketReader().read(text, 0, tree);
    if (end != text.size()) {
        throw tree::SyntaxError(end, "more than a tree");
    }
    return tree;
}

/// Labels and numbers of children in post-order: equal exactly for equal trees.
[[nodiscard]] inline std::vector<std::pair<std::string, std::uint32_t>> shape_of(const tree::TreeText& tree) {
    std::vector<std::pair<std::string, std::uint32_t>> shape;
    for (const auto& node : tree.nodes) {
        shape.emplace_back(node.label, node.children);
    }
    return shape;
}

}  // namespace treeline::test
