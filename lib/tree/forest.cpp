#include "tree/forest.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace treeline::tree {
namespace {

constexpr std::uint64_t kHashSeed = 0x2545f4914f6cdd1dULL;

std::uint64_t hash_production(SymbolId label, std::span<const Forest::ProductionChild> children) {
    std::uint64_t hash = mix_hash(kHashSeed, raw(label));
    for (const auto& child : children) {
        hash = mix_hash(hash, std::uint64_t{raw(child.label)} * 2 + (child.leaf ? 1 : 0));
    }
    return hash;
}

}  // namespace

std::optional<NodeId> Forest::add(const TreeText& tree) {
    if (tree.empty()) {
        return std::nullopt;
    }
    open_.clear();
    for (const auto& node : tree.nodes) {
        const auto children = std::span(open_).last(node.children);
        const NodeId id = add_node(symbols_.intern(node.label), children);
        open_.resize(open_.size() - node.children);
        open_.push_back(id);
    }
    return open_.back();
}

NodeId Forest::add_node(SymbolId label, std::span<const NodeId> children) {
    std::uint64_t hash = mix_hash(kHashSeed, raw(label));
    for (const NodeId child : children) {
        hash = mix_hash(hash, raw(child));
    }
    const auto found = node_table_.find(hash, [&](std::uint32_t id) {
        return labels_[id] == label && std::ranges::equal(this->children(NodeId{id}), children);
    });
    if (found != IdHashTable::kNone) {
        return NodeId{found};
    }
    if (labels_.size() >= IdHashTable::kNone) {
        throw base::Error("more than 4,294,967,294 distinct subtrees; split the input");
    }
    const auto id = static_cast<std::uint32_t>(labels_.size());
    productions_.push_back(intern_production(label, children));
    labels_.push_back(label);
    children_.insert(children_.end(), children.begin(), children.end());
    children_begin_.push_back(children_.size());
    node_table_.insert(hash, id);
    return NodeId{id};
}

ProductionId Forest::intern_production(SymbolId label, std::span<const NodeId> children) {
    production_key_.clear();
    for (const NodeId child : children) {
        production_key_.push_back({this->label(child), is_leaf(child)});
    }
    if (const auto found = find_production(label, production_key_)) {
        return *found;
    }
    const auto id = static_cast<std::uint32_t>(production_labels_.size());
    production_labels_.push_back(label);
    production_children_.insert(production_children_.end(), production_key_.begin(), production_key_.end());
    production_begin_.push_back(production_children_.size());
    production_table_.insert(hash_production(label, production_key_), id);
    return ProductionId{id};
}

std::optional<ProductionId> Forest::find_production(SymbolId label,
                                                    std::span<const ProductionChild> children) const {
    const auto found = production_table_.find(hash_production(label, children), [&](std::uint32_t id) {
        return production_labels_[id] == label &&
               std::ranges::equal(production_children(ProductionId{id}), children);
    });
    if (found == IdHashTable::kNone) {
        return std::nullopt;
    }
    return ProductionId{found};
}

bool Forest::is_preterminal(NodeId node) const {
    const auto below = children(node);
    return !below.empty() && std::ranges::all_of(below, [&](NodeId child) { return is_leaf(child); });
}

void Forest::decompose(NodeId root, Leaves leaves, TreeNodes& out) const {
    out.nodes.clear();
    if (leaves == Leaves::kWith || !is_leaf(root)) {
        out.nodes.push_back(root);
    }
    for (std::size_t i = 0; i < out.nodes.size(); ++i) {
        for (const NodeId child : children(out.nodes[i])) {
            if (leaves == Leaves::kWith || !is_leaf(child)) {
                out.nodes.push_back(child);
            }
        }
    }
    std::ranges::sort(out.nodes);
    out.counts.clear();
    std::size_t distinct = 0;
    for (std::size_t i = 0; i < out.nodes.size(); ++i) {
        if (i > 0 && out.nodes[i] == out.nodes[distinct - 1]) {
            ++out.counts.back();
        } else {
            out.nodes[distinct++] = out.nodes[i];
            out.counts.push_back(1);
        }
    }
    out.nodes.resize(distinct);

    out.children.clear();
    out.children_begin.assign(1, 0);
    for (std::size_t i = 0; i < distinct; ++i) {
        for (const NodeId child : children(out.nodes[i])) {
            if (leaves == Leaves::kWith || !is_leaf(child)) {
                const auto at = std::lower_bound(out.nodes.begin(),
                                                 out.nodes.begin() + static_cast<std::ptrdiff_t>(i), child);
                out.children.push_back(static_cast<std::uint32_t>(at - out.nodes.begin()));
            }
        }
        out.children_begin.push_back(out.children.size());
    }
}

TreeText Forest::text(NodeId root) const {
    // Reversed post-order is the pre-order that visits children from right to left.
    TreeText tree;
    std::vector<NodeId> pending{root};
    while (!pending.empty()) {
        const NodeId node = pending.back();
        pending.pop_back();
        const auto below = children(node);
        tree.nodes.push_back({symbols_.text(label(node)), static_cast<std::uint32_t>(below.size())});
        pending.insert(pending.end(), below.begin(), below.end());
    }
    std::ranges::reverse(tree.nodes);
    return tree;
}

std::size_t Forest::bytes() const {
    return symbols_.bytes() + labels_.capacity() * sizeof(SymbolId) +
           productions_.capacity() * sizeof(ProductionId) +
           children_begin_.capacity() * sizeof(std::uint64_t) + children_.capacity() * sizeof(NodeId) +
           node_table_.bytes() + production_labels_.capacity() * sizeof(SymbolId) +
           production_begin_.capacity() * sizeof(std::uint64_t) +
           production_children_.capacity() * sizeof(ProductionChild) + production_table_.bytes();
}

}  // namespace treeline::tree
