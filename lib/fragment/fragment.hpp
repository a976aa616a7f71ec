#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tree/ids.hpp"
#include "tree/symbols.hpp"

namespace treeline::fragment {

/// One node of a fragment. `children` is kLeafNode for a leaf (a word), 0 for an open node: one that the
/// fragment names but says nothing about below.
struct FragmentNode {
    tree::SymbolId label{};
    std::uint32_t children = 0;
    bool operator==(const FragmentNode&) const = default;
};
inline constexpr std::uint32_t kLeafNode = 0xffffffffU;

[[nodiscard]] constexpr bool is_leaf(const FragmentNode& node) { return node.children == kLeafNode; }
[[nodiscard]] constexpr std::uint32_t child_count(const FragmentNode& node) {
    return is_leaf(node) ? 0 : node.children;
}

/// A fragment is its nodes in pre-order; labels are ids of a symbol table kept beside it. Never empty.
using Fragment = std::vector<FragmentNode>;
using FragmentView = std::span<const FragmentNode>;

/// Sizes of a fragment, in one pass.
struct Shape {
    std::uint32_t nodes = 0;     ///< all of them
    std::uint32_t expanded = 0;  ///< with children: the productions, s(f) of DESIGN section 3
    std::uint32_t depth = 0;     ///< edges on the longest way down; a node with its children has depth 1
    std::uint32_t leaves = 0;    ///< words
    bool operator==(const Shape&) const = default;
};
[[nodiscard]] Shape measure(FragmentView fragment);

/// Appends the text of a fragment. Every node but a leaf stands in brackets: `(NP (DT the) (NN))` is a noun
/// phrase over a determiner `the` and a noun whose word is left open; `(NN)` and the word `NN` are thus told
/// apart. A fragment of one leaf is the bare word. Labels are escaped as in trees (tree::append_label).
void append_text(std::string& out, FragmentView fragment, const tree::SymbolTable& symbols);
[[nodiscard]] std::string to_text(FragmentView fragment, const tree::SymbolTable& symbols);

/// The fragment that `text` writes, nothing after it but white space. Does not recurse. Throws
/// base::SyntaxError.
[[nodiscard]] Fragment parse_fragment(std::string_view text, tree::SymbolTable& symbols);

/// Position after the subtree that starts at `at`.
[[nodiscard]] std::size_t skip_subtree(FragmentView fragment, std::size_t at);

}  // namespace treeline::fragment
