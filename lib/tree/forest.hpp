#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tree/id_hash_table.hpp"
#include "tree/ids.hpp"
#include "tree/symbols.hpp"
#include "tree/tree_text.hpp"

namespace treeline::tree {

/// The distinct nodes of one tree with their number of occurrences; the last one is the root
/// (no node at all for a tree of one leaf where leaves are left out).
/// `children` are positions in `nodes`, so that a tree can be worked on without the forest's id space.
struct TreeNodes {
    std::vector<NodeId> nodes;                ///< ascending, so children come before parents
    std::vector<std::uint32_t> counts;        ///< occurrences of each
    std::vector<std::size_t> children_begin;  ///< offsets into `children`, one more than nodes
    std::vector<std::uint32_t> children;      ///< left to right; without leaves if they were left out
};

/// Every distinct subtree once (DESIGN section 4): a node is a label with its children, equal subtrees share
/// one id, children have smaller ids than their parents, and so a tree is named by the id of its root.
///
/// A production is a label with the ordered labels of the children, leaf and inner children told apart; equal
/// productions share one id. Leaves have the production of their label without children.
///
/// Equality is decided on structures, never on hashes. Nothing recurses: a tree may be as deep as memory
/// allows. Append-only. Reading is thread-safe, adding is not. Cost of adding: one hash look-up per node.
class Forest {
  public:
    /// Adds a tree and returns its root; nothing for the empty tree.
    std::optional<NodeId> add(const TreeText& tree);
    /// Adds the node with these children, already in the forest; `children` is no span of the forest itself.
    NodeId add_node(SymbolId label, std::span<const NodeId> children);

    [[nodiscard]] std::size_t size() const { return labels_.size(); }
    [[nodiscard]] std::size_t production_count() const { return production_labels_.size(); }

    [[nodiscard]] SymbolId label(NodeId node) const { return labels_[raw(node)]; }
    [[nodiscard]] ProductionId production(NodeId node) const { return productions_[raw(node)]; }
    [[nodiscard]] bool is_leaf(NodeId node) const {
        return children_begin_[raw(node)] == children_begin_[raw(node) + 1];
    }
    [[nodiscard]] std::span<const NodeId> children(NodeId node) const {
        const std::uint64_t begin = children_begin_[raw(node)];
        return {children_.data() + begin, static_cast<std::size_t>(children_begin_[raw(node) + 1] - begin)};
    }
    /// True if the node has children and all of them are leaves.
    [[nodiscard]] bool is_preterminal(NodeId node) const;

    [[nodiscard]] SymbolId production_label(ProductionId production) const {
        return production_labels_[raw(production)];
    }
    /// One child of a production.
    struct ProductionChild {
        SymbolId label;
        bool leaf;
        bool operator==(const ProductionChild&) const = default;
    };
    [[nodiscard]] std::span<const ProductionChild> production_children(ProductionId production) const {
        const std::uint64_t begin = production_begin_[raw(production)];
        return {production_children_.data() + begin,
                static_cast<std::size_t>(production_begin_[raw(production) + 1] - begin)};
    }
    [[nodiscard]] std::optional<ProductionId> find_production(
        SymbolId label, std::span<const ProductionChild> children) const;

    [[nodiscard]] SymbolTable& symbols() { return symbols_; }
    [[nodiscard]] const SymbolTable& symbols() const { return symbols_; }

    enum class Leaves { kWith, kWithout };
    /// The distinct nodes below (and with) `root` into `out`, reusing its memory. Cost: occurrences times
    /// their logarithm.
    void decompose(NodeId root, Leaves leaves, TreeNodes& out) const;
    /// The tree of `root` as text; labels point into symbols().
    [[nodiscard]] TreeText text(NodeId root) const;

    /// Bytes held, for reports and --memory.
    [[nodiscard]] std::size_t bytes() const;

  private:
    ProductionId intern_production(SymbolId label, std::span<const NodeId> children);

    SymbolTable symbols_;
    std::vector<SymbolId> labels_;
    std::vector<ProductionId> productions_;
    std::vector<std::uint64_t> children_begin_{0};
    std::vector<NodeId> children_;
    IdHashTable node_table_;

    std::vector<SymbolId> production_labels_;
    std::vector<std::uint64_t> production_begin_{0};
    std::vector<ProductionChild> production_children_;
    IdHashTable production_table_;

    std::vector<NodeId> open_;  // work space of add()
    std::vector<ProductionChild> production_key_;
};

}  // namespace treeline::tree
