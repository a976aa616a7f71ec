#include "fragment/occurrences.hpp"

#include <algorithm>
#include <span>

#include "fragment/fragment_family.hpp"

namespace treeline::fragment {

namespace {

/// Children of all nodes of a tree or fragment, one list after the other.
struct ChildLists {
    std::vector<std::size_t> begin{0};
    std::vector<std::uint32_t> items;

    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t node) const {
        return {items.data() + begin[node], begin[node + 1] - begin[node]};
    }
};

ChildLists children_of(const tree::TreeText& tree) {
    ChildLists lists;
    std::vector<std::uint32_t> open;
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
        const auto first = open.end() - static_cast<std::ptrdiff_t>(tree.nodes[at].children);
        lists.items.insert(lists.items.end(), first, open.end());
        lists.begin.push_back(lists.items.size());
        open.erase(first, open.end());
        open.push_back(static_cast<std::uint32_t>(at));
    }
    return lists;
}

ChildLists children_of(FragmentView fragment) {
    std::vector<std::size_t> ends(fragment.size());
    for (std::size_t at = fragment.size(); at-- > 0;) {
        std::size_t end = at + 1;
        for (std::uint32_t child = 0; child < child_count(fragment[at]); ++child) {
            end = ends[end];
        }
        ends[at] = end;
    }
    ChildLists lists;
    for (std::size_t at = 0; at < fragment.size(); ++at) {
        for (std::size_t child = at + 1; child < ends[at]; child = ends[child]) {
            lists.items.push_back(static_cast<std::uint32_t>(child));
        }
        lists.begin.push_back(lists.items.size());
    }
    return lists;
}

/// Which node of a fragment can stand on which node of a tree: fits(f, t) as if nothing were known of what is
/// above, used(f, t) in an occurrence of the whole fragment.
class Embedding {
  public:
    Embedding(FragmentView fragment, const tree::SymbolTable& symbols, const tree::TreeText& tree,
              bool skips_children)
        : fragment_(fragment),
          tree_(tree),
          skips_children_(skips_children),
          below_(children_of(fragment)),
          tree_below_(children_of(tree)),
          fits_(fragment.size() * tree.nodes.size()),
          used_(fits_.size()) {
        for (std::size_t f = fragment.size(); f-- > 0;) {
            const std::string_view label = symbols.text(fragment[f].label);
            for (std::size_t t = 0; t < tree.nodes.size(); ++t) {
                fits_[cell(f, t)] = tree.nodes[t].label == label && fits_below(f, t);
            }
        }
        mark_used();
    }

    [[nodiscard]] std::vector<std::uint32_t> covered() const {
        std::vector<std::uint32_t> nodes;
        for (std::size_t t = 0; t < tree_.nodes.size(); ++t) {
            for (std::size_t f = 0; f < fragment_.size(); ++f) {
                if (used_[cell(f, t)]) {
                    nodes.push_back(static_cast<std::uint32_t>(t));
                    break;
                }
            }
        }
        return nodes;
    }

  private:
    [[nodiscard]] std::size_t cell(std::size_t f, std::size_t t) const { return f * tree_.nodes.size() + t; }

    [[nodiscard]] bool fits_below(std::size_t f, std::size_t t) const {
        const auto wanted = below_.of(f);
        const auto there = tree_below_.of(t);
        if (skips_children_) {
            return first_fits(wanted, there).size() == wanted.size();
        }
        if (is_leaf(fragment_[f]) != there.empty() || (!wanted.empty() && wanted.size() != there.size())) {
            return false;
        }
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (!fits_[cell(wanted[i], there[i])]) {
                return false;
            }
        }
        return true;
    }

    /// Where the children can stand at the earliest, from left to right, as far as they can.
    [[nodiscard]] std::vector<std::size_t> first_fits(std::span<const std::uint32_t> wanted,
                                                      std::span<const std::uint32_t> there) const {
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < there.size() && places.size() < wanted.size(); ++i) {
            if (fits_[cell(wanted[places.size()], there[i])]) {
                places.push_back(i);
            }
        }
        return places;
    }
    /// And at the latest; all of them do stand somewhere.
    [[nodiscard]] std::vector<std::size_t> last_fits(std::span<const std::uint32_t> wanted,
                                                     std::span<const std::uint32_t> there) const {
        std::vector<std::size_t> places(wanted.size());
        std::size_t left = wanted.size();
        for (std::size_t i = there.size(); i-- > 0 && left > 0;) {
            if (fits_[cell(wanted[left - 1], there[i])]) {
                places[--left] = i;
            }
        }
        return places;
    }

    /// Pre-order of the fragment, so that a node's own places are known before its children's. Child i of an
    /// embedding can stand on any place that fits between the earliest and the latest one: those before it
    /// stand at their earliest, those after it at their latest.
    void mark_used() {
        for (std::size_t f = 0; f < fragment_.size(); ++f) {
            const auto wanted = below_.of(f);
            for (std::size_t t = 0; t < tree_.nodes.size(); ++t) {
                used_[cell(f, t)] = used_[cell(f, t)] || (f == 0 && fits_[cell(f, t)]);
                if (!used_[cell(f, t)] || wanted.empty()) {
                    continue;
                }
                const auto there = tree_below_.of(t);
                const std::vector<std::size_t> first = first_places(wanted, there);
                const std::vector<std::size_t> last = skips_children_ ? last_fits(wanted, there) : first;
                for (std::size_t i = 0; i < wanted.size(); ++i) {
                    for (std::size_t place = first[i]; place <= last[i]; ++place) {
                        const std::size_t child = cell(wanted[i], there[place]);
                        used_[child] = used_[child] || fits_[child];
                    }
                }
            }
        }
    }
    [[nodiscard]] std::vector<std::size_t> first_places(std::span<const std::uint32_t> wanted,
                                                        std::span<const std::uint32_t> there) const {
        if (skips_children_) {
            return first_fits(wanted, there);
        }
        std::vector<std::size_t> places(wanted.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            places[i] = i;
        }
        return places;
    }

    FragmentView fragment_;
    const tree::TreeText& tree_;
    bool skips_children_;
    ChildLists below_;
    ChildLists tree_below_;
    std::vector<bool> fits_;
    std::vector<bool> used_;
};

}  // namespace

std::vector<std::uint32_t> covered_nodes(FragmentView fragment, const tree::SymbolTable& symbols,
                                         const tree::TreeText& tree, const kernel::TreeKernel& kernel) {
    return Embedding(fragment, symbols, tree, fragments_of(kernel).skips_children()).covered();
}

}  // namespace treeline::fragment
