#include "fragment/matcher_index.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "fragment/fragment_family.hpp"

namespace treeline::fragment {

using tree::NodeId;
using tree::SymbolId;

namespace {

/// ends[i]: position after the subtree that starts at i.
std::vector<std::size_t> subtree_ends(FragmentView fragment) {
    std::vector<std::size_t> ends(fragment.size());
    for (std::size_t i = fragment.size(); i-- > 0;) {
        std::size_t end = i + 1;
        for (std::uint32_t child = 0; child < child_count(fragment[i]); ++child) {
            end = ends[end];
        }
        ends[i] = end;
    }
    return ends;
}

}  // namespace

void TrieEdges::place(const Slot& slot) {
    std::size_t at = home(slot.key);
    while (slots_[at].next != kNone) {
        at = (at + 1) & mask_;
    }
    slots_[at] = slot;
}

void TrieEdges::insert(std::uint32_t state, std::uint32_t what, std::uint32_t next) {
    if ((size_ + 1) * 2 > slots_.size()) {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.next != kNone) {
                place(slot);
            }
        }
    }
    place({key_of(state, what), next});
    ++size_;
}

MatcherIndex::MatcherIndex(const kernel::TreeKernel& kernel, WeightScheme scheme,
                           const tree::SymbolTable& symbols)
    : kernel_(kernel), scheme_(scheme), form_(fragments_of(kernel).trie()) {
    for (std::uint32_t id = 0; id < symbols.size(); ++id) {
        forest_.symbols().intern(symbols.text(SymbolId{id}));
    }
    below_ = forest_.add_node(forest_.symbols().intern(""), {});
}

void MatcherIndex::add(std::uint32_t number, FragmentView fragment) {
    if (number == kNone) {
        throw base::Error("more than 4,294,967,294 fragments; mine fewer");
    }
    if (number >= values_.size()) {
        values_.resize(std::size_t{number} + 1, std::numeric_limits<double>::quiet_NaN());
    }
    if (values_[number] == values_[number]) {
        throw base::Error("fragment number " + std::to_string(number) + " is in the dictionary twice");
    }
    require_member(fragment, forest_.symbols(), kernel_);
    if (form_ == TrieForm::kParts) {
        add_partial_fragment(number, fragment);
    } else {
        add_production_fragment(number, fragment);
    }
    values_[number] = occurrence_value(fragment, kernel_, scheme_);
    ++size_;
}

std::uint32_t MatcherIndex::root_state(std::uint32_t what) {
    if (what >= roots_.size()) {
        roots_.resize(std::size_t{what} + 1, kNone);
    }
    if (roots_[what] == kNone) {
        roots_[what] = static_cast<std::uint32_t>(states_.size());
        states_.emplace_back();
    }
    return roots_[what];
}

std::uint32_t MatcherIndex::branch_of(std::uint32_t state, std::uint32_t skip) {
    std::uint32_t* link = &states_[state].branch;
    while (*link != kNone && branches_[*link].skip < skip) {
        link = &branches_[*link].next;
    }
    if (*link == kNone || branches_[*link].skip != skip) {
        const std::uint32_t rest = *link;
        const auto branch = static_cast<std::uint32_t>(branches_.size());
        *link = branch;
        branches_.push_back({skip, rest});
        return branch;
    }
    return *link;
}

std::uint32_t MatcherIndex::grow(std::uint32_t from, std::uint32_t what) {
    const std::uint32_t found = edges_.find(from, what);
    if (found != kNone) {
        return found;
    }
    const auto state = static_cast<std::uint32_t>(states_.size());
    states_.emplace_back();
    edges_.insert(from, what, state);
    return state;
}

tree::ProductionId MatcherIndex::production_at(FragmentView fragment, std::size_t at,
                                               const std::vector<std::size_t>& ends) {
    std::vector<NodeId> children;
    for (std::size_t child = at + 1; child < ends[at]; child = ends[child]) {
        const std::span below(&below_, is_leaf(fragment[child]) ? 0 : 1);
        children.push_back(forest_.add_node(fragment[child].label, below));
    }
    return forest_.production(forest_.add_node(fragment[at].label, children));
}

void MatcherIndex::add_production_fragment(std::uint32_t number, FragmentView fragment) {
    const std::vector<std::size_t> ends = subtree_ends(fragment);
    std::uint32_t state = root_state(raw(production_at(fragment, 0, ends)));
    std::uint32_t skip = 0;
    for (std::size_t at = 1; at < fragment.size(); ++at) {
        if (child_count(fragment[at]) > 0) {
            const std::uint32_t branch = branch_of(state, skip);
            state = grow(branch, raw(production_at(fragment, at, ends)));
            skip = 0;
        } else if (!is_leaf(fragment[at])) {
            ++skip;
        }
    }
    if (states_[state].fragment != kNone) {
        throw base::Error("fragment " + to_text(fragment, forest_.symbols()) + " is in the dictionary twice");
    }
    states_[state].fragment = number;
}

void MatcherIndex::add_partial_fragment(std::uint32_t number, FragmentView fragment) {
    const std::vector<std::size_t> ends = subtree_ends(fragment);
    std::vector<std::uint32_t> parts(fragment.size());
    for (std::size_t at = fragment.size(); at-- > 0;) {
        std::uint32_t state = root_state(raw(fragment[at].label));
        for (std::size_t child = at + 1; child < ends[at]; child = ends[child]) {
            state = grow(state, parts[child]);
        }
        if (states_[state].fragment == kNone) {
            states_[state].fragment = static_cast<std::uint32_t>(part_fragments_.size());
            part_fragments_.push_back(kNone);
        }
        parts[at] = states_[state].fragment;
    }
    if (part_fragments_[parts[0]] != kNone) {
        throw base::Error("fragment " + to_text(fragment, forest_.symbols()) + " is in the dictionary twice");
    }
    part_fragments_[parts[0]] = number;
}

std::size_t MatcherIndex::bytes() const {
    return values_.capacity() * sizeof(double) + forest_.bytes() + roots_.capacity() * sizeof(std::uint32_t) +
           states_.capacity() * sizeof(State) + branches_.capacity() * sizeof(Branch) + edges_.bytes() +
           part_fragments_.capacity() * sizeof(std::uint32_t);
}

}  // namespace treeline::fragment
