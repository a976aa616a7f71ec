#include "fragment/rounds.hpp"

#include <algorithm>
#include <vector>

namespace treeline::fragment {

std::uint32_t expansion_rounds(FragmentView fragment, std::uint32_t width) {
    struct Node {
        std::size_t parent;
        std::size_t height = 0;  // expanded nodes on the longest way down
        bool done = false;
    };
    std::vector<Node> nodes;  // the expanded ones, in pre-order
    std::vector<std::pair<std::size_t, std::uint32_t>> open;
    for (const FragmentNode& node : fragment) {
        if (child_count(node) > 0) {
            nodes.push_back({open.empty() ? 0 : open.back().first});
            open.emplace_back(nodes.size() - 1, node.children);
            continue;
        }
        while (!open.empty() && --open.back().second == 0) {
            open.pop_back();
        }
    }
    if (nodes.empty()) {
        return 0;
    }
    for (std::size_t i = nodes.size(); i-- > 1;) {
        nodes[nodes[i].parent].height = std::max(nodes[nodes[i].parent].height, nodes[i].height + 1);
    }
    nodes[0].done = true;
    std::uint32_t rounds = 0;
    std::vector<std::size_t> ready;
    for (std::size_t left = nodes.size() - 1; left > 0; ++rounds) {
        ready.clear();
        for (std::size_t i = 1; i < nodes.size(); ++i) {
            if (!nodes[i].done && nodes[nodes[i].parent].done) {
                ready.push_back(i);
            }
        }
        std::ranges::stable_sort(ready, std::ranges::greater{},
                                 [&](std::size_t i) { return nodes[i].height; });
        ready.resize(std::min<std::size_t>(ready.size(), width));
        for (const std::size_t i : ready) {
            nodes[i].done = true;
        }
        left -= ready.size();
    }
    return rounds;
}

}  // namespace treeline::fragment
