#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fragment/fragment.hpp"
#include "fragment/fragment_family.hpp"
#include "fragment/weight.hpp"
#include "kernel/description.hpp"
#include "tree/forest.hpp"
#include "tree/id_hash_table.hpp"

namespace treeline::fragment {

/// Edges (state, what) -> state of a trie whose states are numbered densely; open addressing.
class TrieEdges {
  public:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    [[nodiscard]] std::uint32_t find(std::uint32_t state, std::uint32_t what) const {
        const std::uint64_t key = key_of(state, what);
        for (std::size_t at = home(key);; at = (at + 1) & mask_) {
            if (slots_[at].next == kNone || slots_[at].key == key) {
                return slots_[at].next;
            }
        }
    }
    /// Adds an edge known to be absent.
    void insert(std::uint32_t state, std::uint32_t what, std::uint32_t next);
    [[nodiscard]] std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t next = kNone;
    };
    [[nodiscard]] static std::uint64_t key_of(std::uint32_t state, std::uint32_t what) {
        return std::uint64_t{state} << 32 | what;
    }
    [[nodiscard]] std::size_t home(std::uint64_t key) const { return tree::mix_hash(0, key) & mask_; }
    void place(const Slot& slot);

    std::vector<Slot> slots_{64};
    std::size_t mask_ = 63;
    std::size_t size_ = 0;
};

/// The fragments of a dictionary compiled into a trie for Matcher (DESIGN section 4, "Matching").
///
/// TrieForm::kDecisions: the trie is over growth decisions: the root's production, then "pass over
/// `skip` open nodes (pre-order, after the node expanded last) and expand the next one with a production". A
/// state stands for one beginning of fragments, so matching visits nothing but beginnings of fragments that
/// are in the tree.
///
/// TrieForm::kParts: every rooted part of a fragment gets a number, and the trie is over a label followed by the
/// parts below its children, from left to right: what was found below a node is all that matching its parent
/// needs.
///
/// Built by add(), then immutable and thread-safe.
class MatcherIndex {
  public:
    static constexpr std::uint32_t kNone = TrieEdges::kNone;

    /// The labels of `symbols` keep their ids in the index's own table, so that fragments need no translation.
    explicit MatcherIndex(const kernel::TreeKernel& kernel, WeightScheme scheme = WeightScheme::kExact,
                          const tree::SymbolTable& symbols = {});

    /// Adds the fragment `number`, whose labels are ids of symbols(). Throws base::Error if it was added
    /// before or the kernel's space has no such fragment.
    void add(std::uint32_t number, FragmentView fragment);
    /// Labels of fragments to come may be added.
    [[nodiscard]] tree::SymbolTable& symbols() { return forest_.symbols(); }

    [[nodiscard]] const kernel::TreeKernel& kernel() const { return kernel_; }
    [[nodiscard]] WeightScheme scheme() const { return scheme_; }
    [[nodiscard]] TrieForm form() const { return form_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// One more than the highest number.
    [[nodiscard]] std::size_t dimension() const { return values_.size(); }
    [[nodiscard]] std::size_t bytes() const;

    /// occurrence_value() of a fragment.
    [[nodiscard]] double value(std::uint32_t number) const { return values_[number]; }

    /// Labels and productions of the fragments. A production that no fragment has may be among them.
    [[nodiscard]] const tree::Forest& forest() const { return forest_; }

    /// The state of a root production (kParts: of a root label), or kNone.
    [[nodiscard]] std::uint32_t root(std::uint32_t what) const {
        return what < roots_.size() ? roots_[what] : kNone;
    }

    struct State {
        std::uint32_t fragment = kNone;  ///< the one complete here; kParts: the number of the part
        std::uint32_t branch = kNone;    ///< first branch; kDecisions only
    };
    [[nodiscard]] const State& state(std::uint32_t state) const { return states_[state]; }
    [[nodiscard]] std::size_t state_count() const { return states_.size(); }

    /// The decisions of a state that skip the same number of open nodes; ascending by skip.
    struct Branch {
        std::uint32_t skip = 0;
        std::uint32_t next = kNone;  ///< branch of the same state
    };
    [[nodiscard]] const Branch& branch(std::uint32_t branch) const { return branches_[branch]; }

    /// From a branch with a production, or from a state with the number of a part.
    [[nodiscard]] std::uint32_t follow(std::uint32_t from, std::uint32_t what) const {
        return edges_.find(from, what);
    }

    /// The fragment that a part is, or kNone; kParts only.
    [[nodiscard]] std::uint32_t part_fragment(std::uint32_t part) const { return part_fragments_[part]; }

  private:
    void add_production_fragment(std::uint32_t number, FragmentView fragment);
    void add_partial_fragment(std::uint32_t number, FragmentView fragment);
    [[nodiscard]] std::uint32_t root_state(std::uint32_t what);
    [[nodiscard]] std::uint32_t branch_of(std::uint32_t state, std::uint32_t skip);
    [[nodiscard]] std::uint32_t grow(std::uint32_t from, std::uint32_t what);
    [[nodiscard]] tree::ProductionId production_at(FragmentView fragment, std::size_t at,
                                                   const std::vector<std::size_t>& ends);

    kernel::TreeKernel kernel_;
    WeightScheme scheme_;
    TrieForm form_;
    std::size_t size_ = 0;
    std::vector<double> values_;
    tree::Forest forest_;
    tree::NodeId below_{};  // stands for what is below an inner child
    std::vector<std::uint32_t> roots_;
    std::vector<State> states_;
    std::vector<Branch> branches_;
    TrieEdges edges_;
    std::vector<std::uint32_t> part_fragments_;
};

}  // namespace treeline::fragment
