#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fragment/fragment.hpp"
#include "store/dictionary_format.hpp"
#include "tree/id_hash_table.hpp"
#include "tree/symbols.hpp"

namespace treeline::store {

/// The index of Figure 2 of Pighin & Moschitti 2009, in memory: fragments as depth-first sequences of labels
/// with marks "up", each label once and each distinct tail of a sequence once. The tails of a label are
/// numbered from 1 in the order in which they come, the last ones of a sequence first.
class TailIndex {
  public:
    /// `symbols` are those of the fragments; it may grow, and must outlive this.
    explicit TailIndex(const tree::SymbolTable& symbols) : symbols_(&symbols) {}

    /// The tail that is the whole sequence of the fragment; labels and tails are added as needed.
    Tail add(fragment::FragmentView fragment);

    /// Number of the label of a node; added if it is not there.
    std::uint32_t label(const fragment::FragmentNode& node);
    [[nodiscard]] const std::vector<IndexLabel>& labels() const { return labels_; }

    /// A tail and what it goes on with.
    struct Arc {
        Tail tail;
        Tail next;
    };
    /// All of them, by label, then by number.
    [[nodiscard]] std::vector<Arc> arcs() const;
    [[nodiscard]] std::size_t tail_count() const { return entries_.size(); }
    /// Elements of all sequences but the last of each: the arcs that there would be if no tail were shared.
    [[nodiscard]] std::uint64_t unshared() const { return unshared_; }

    /// The sequence of the fragment added last, as numbers of labels.
    [[nodiscard]] const std::vector<std::uint32_t>& last_sequence() const { return sequence_; }

  private:
    /// The sequence of a fragment as numbers of labels.
    void spell(fragment::FragmentView fragment);

    const tree::SymbolTable* symbols_;
    std::vector<IndexLabel> labels_{IndexLabel{}};
    std::vector<std::uint32_t> inner_labels_;  // by symbol; 0 = none
    std::vector<std::uint32_t> leaf_labels_;
    std::vector<std::uint32_t> tails_of_label_{0};
    std::vector<Arc> entries_;
    tree::IdHashTable entry_table_;
    std::uint64_t unshared_ = 0;
    std::vector<std::uint32_t> sequence_;
};

/// The fragment that a sequence of labels and marks spells; `symbols` by number of label. Throws FormatError.
[[nodiscard]] fragment::Fragment fragment_of_sequence(std::span<const std::uint32_t> sequence,
                                                      std::span<const LabelKind> kinds,
                                                      std::span<const tree::SymbolId> symbols);

}  // namespace treeline::store
