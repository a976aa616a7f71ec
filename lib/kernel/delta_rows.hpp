#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernel/description.hpp"
#include "kernel/subsequences.hpp"
#include "kernel/target_index.hpp"
#include "tree/forest.hpp"
#include "tree/id_hash_table.hpp"

namespace treeline::kernel {

/// D(a, b) of nodes a with all nodes b of a TargetIndex that can match them: those that have
/// a's KernelFamily::key. Rows of children are added before those of parents, so a row is one pass over
/// the run per child. Rows stay until clear(): trees that share subtrees share their rows. T is float or
/// double. Not thread-safe, one per thread.
template <typename T>
class DeltaRows {
  public:
    /// The index must have been built for the kernel. All three must outlive this.
    DeltaRows(const tree::Forest& forest, const TargetIndex& index, const TreeKernel& kernel)
        : forest_(&forest),
          index_(&index),
          kernel_(&kernel),
          by_label_(kernel.family().matches_by_label()),
          rule_(kernel) {}

    /// D(a, .) less kernel.single_node(): values[i] belongs to rank run.begin + i; after the last one stands
    /// a 0. `counted` is what of it, with kernel.counted_single_node() added, is part of the kernel itself.
    struct Row {
        TargetIndex::Run run;
        const T* values = nullptr;
        const T* counted = nullptr;
    };

    static constexpr std::uint32_t kNone = tree::IdHashTable::kNone;
    /// The number of a node's row, in order of adding; kNone if it has none.
    [[nodiscard]] std::uint32_t find(tree::NodeId a) const;
    [[nodiscard]] const Row& row(std::uint32_t number) const { return rows_[number]; }

    /// Adds the row of a node that has none, whose children (leaves aside, if the kernel does not use them)
    /// have theirs.
    const Row& add(tree::NodeId a);

    void clear();
    /// Values held by all rows.
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    [[nodiscard]] T* allocate(std::size_t count);
    [[nodiscard]] const Row& child_row(tree::NodeId child) const { return rows_[find(child)]; }
    void fill_by_production(tree::NodeId a, TargetIndex::Run run, T* out) const;
    void fill_by_label(tree::NodeId a, TargetIndex::Run run, T* out);

    // Steps of fill_by_label; the sums are for `size` nodes of one production, with which a has matches_.
    void find_matches(std::span<const tree::NodeId> children, tree::ProductionId production);
    void sum_one_match(std::uint32_t size, T* values) const;
    /// Few matches: chains over the matches themselves, which are sorted by i, then j.
    void sum_chains(std::size_t widest, std::uint32_t size, T* values);
    void sum_subsequences(std::size_t arity, std::size_t width, std::uint32_t size, T* values);

    /// The nodes of that label without children.
    [[nodiscard]] TargetIndex::Run leaf_run(tree::SymbolId label) const;
    /// The values with 0 where either node has no children.
    [[nodiscard]] const T* without_terminals(tree::NodeId a, TargetIndex::Run run, const T* values);

    const tree::Forest* forest_;
    const TargetIndex* index_;
    const TreeKernel* kernel_;
    bool by_label_;
    SubsequenceRule rule_;

    tree::IdHashTable table_;
    std::vector<tree::NodeId> nodes_;
    std::vector<Row> rows_;

    struct Chunk {
        std::unique_ptr<T[]> values;
        std::size_t size;
    };
    std::vector<Chunk> chunks_;
    std::size_t chunk_ = 0;       // the one in use,
    std::size_t chunk_used_ = 0;  // and how much of it
    std::size_t size_ = 0;

    /// Children i of a and j of b with the same label; `ranks` are those of the j-th children of b's
    /// production.
    struct Match {
        std::uint32_t i;
        std::uint32_t j;
        Row row;
        const std::uint32_t* ranks;
        /// D of child i with child j of the b-th node, less the single node.
        [[nodiscard]] T delta(std::uint32_t b) const { return row.values[ranks[b] - row.run.begin]; }
    };
    std::vector<std::uint32_t> candidates_;  // first ranks of productions
    std::vector<Match> matches_;
    std::vector<T> ended_;  // G of each match, see subsequences.hpp
    std::vector<double> decayed_;
    std::vector<T> powers_;  // of the decay
};

extern template class DeltaRows<float>;
extern template class DeltaRows<double>;

}  // namespace treeline::kernel
