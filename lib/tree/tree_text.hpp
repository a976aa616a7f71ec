#pragma once

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <string>
#include <string_view>
#include <vector>

namespace treeline::tree {

/// One tree as read: its nodes in post-order (children before parents, left to right), each with its label
/// and its number of children. A node without children is a leaf, whether it was written `cat` or `(cat)`. No
/// nodes at all is the empty tree `()`. Labels point into the text that was read or, where an escape had to
/// be undone, into `unescaped`; they live as long as both.
struct TreeText {
    struct Node {
        std::string_view label;
        std::uint32_t children = 0;
    };
    std::vector<Node> nodes;
    std::forward_list<std::string> unescaped;

    [[nodiscard]] bool empty() const { return nodes.empty(); }
    void clear() {
        nodes.clear();
        unescaped.clear();
    }
};

}  // namespace treeline::tree
