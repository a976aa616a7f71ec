#include "store/tail_index.hpp"

namespace treeline::store {

using fragment::FragmentNode;

std::uint32_t TailIndex::label(const FragmentNode& node) {
    auto& numbers = is_leaf(node) ? leaf_labels_ : inner_labels_;
    if (raw(node.label) >= numbers.size()) {
        numbers.resize(symbols_->size(), 0);
    }
    std::uint32_t& number = numbers[raw(node.label)];
    if (number == 0) {
        number = static_cast<std::uint32_t>(labels_.size());
        labels_.push_back(
            {is_leaf(node) ? LabelKind::kLeaf : LabelKind::kInner, std::string(symbols_->text(node.label))});
        tails_of_label_.push_back(0);
    }
    return number;
}

void TailIndex::spell(fragment::FragmentView fragment) {
    sequence_.clear();
    std::vector<std::uint32_t> open;  // children still to come
    std::size_t ups = 0;              // from the element before to the parent of the next one
    for (const FragmentNode& node : fragment) {
        sequence_.insert(sequence_.end(), ups, kUpLabel);
        sequence_.push_back(label(node));
        ups = 0;
        if (child_count(node) > 0) {
            open.push_back(node.children);
            continue;
        }
        ups = 1;
        while (!open.empty() && --open.back() == 0) {
            open.pop_back();
            ++ups;
        }
    }
}

Tail TailIndex::add(fragment::FragmentView fragment) {
    spell(fragment);
    unshared_ += sequence_.size() - 1;
    Tail tail{sequence_.back(), 0};
    for (std::size_t i = sequence_.size() - 1; i-- > 0;) {
        const std::uint32_t first = sequence_[i];
        const Tail next = tail;
        const std::uint64_t hash = tree::mix_hash(std::uint64_t{first} << 32 | next.label, next.number);
        const std::uint32_t found = entry_table_.find(hash, [&](std::uint32_t id) {
            return entries_[id].tail.label == first && entries_[id].next == next;
        });
        if (found != tree::IdHashTable::kNone) {
            tail = entries_[found].tail;
            continue;
        }
        tail = {first, ++tails_of_label_[first]};
        entry_table_.insert(hash, static_cast<std::uint32_t>(entries_.size()));
        entries_.push_back({tail, next});
    }
    return tail;
}

std::vector<TailIndex::Arc> TailIndex::arcs() const {
    std::vector<std::size_t> begin(labels_.size() + 1);
    for (std::size_t label = 0; label < labels_.size(); ++label) {
        begin[label + 1] = begin[label] + tails_of_label_[label];
    }
    std::vector<Arc> arcs(entries_.size());
    for (const Arc& entry : entries_) {
        arcs[begin[entry.tail.label] + entry.tail.number - 1] = entry;
    }
    return arcs;
}

fragment::Fragment fragment_of_sequence(std::span<const std::uint32_t> sequence,
                                        std::span<const LabelKind> kinds,
                                        std::span<const tree::SymbolId> symbols) {
    fragment::Fragment fragment;
    std::vector<std::size_t> path;
    for (const std::uint32_t label : sequence) {
        if (label >= kinds.size()) {
            throw FormatError("a sequence names a label that is not there");
        }
        if (kinds[label] == LabelKind::kUp) {
            if (path.size() < 2) {
                throw FormatError("a sequence climbs above its root");
            }
            path.pop_back();
            continue;
        }
        if (!path.empty()) {
            FragmentNode& parent = fragment[path.back()];
            if (is_leaf(parent)) {
                throw FormatError("a sequence puts a node below a leaf");
            }
            ++parent.children;
        } else if (!fragment.empty()) {
            throw FormatError("a sequence has two roots");
        }
        path.push_back(fragment.size());
        fragment.push_back({symbols[label], kinds[label] == LabelKind::kLeaf ? fragment::kLeafNode : 0});
    }
    if (fragment.empty() || kinds[sequence.back()] == LabelKind::kUp) {
        throw FormatError("a sequence does not end with a node");
    }
    return fragment;
}

}  // namespace treeline::store
