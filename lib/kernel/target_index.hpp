#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "kernel/description.hpp"
#include "kernel/node_index.hpp"
#include "tree/forest.hpp"

namespace treeline::kernel {

/// The distinct nodes of a set of target trees (NodeIndex, whose ranks these are), laid out for evaluating one tree against
/// all of them at once.
///
/// Values per node are added up along the shared subtrees to values per target in *steps*. Only roots and
/// nodes with several parents have a step of their own; a node with one parent counts at the step of that
/// parent, so its value needs no further way. Bottom nodes, which have nothing to compare below them, match
/// so rarely that their value is rather handed to the steps of all their parents where there is one, than
/// asked for by all parents. Steps are sorted by (height, number of children, id): children come before
/// parents, and equal numbers of children are stretches.
///
/// The forest may grow afterwards: the index keeps to the nodes it was built from. Immutable; thread-safe.
class TargetIndex {
  public:
    /// `roots` are distinct trees of `forest` (or example::kEmptyTree, whose values are 0). Leaves are left out where the
    /// kernel does not use them.
    TargetIndex(const tree::Forest& forest, std::span<const tree::NodeId> roots, const TreeKernel& kernel);

    /// A run of ranks.
    struct Run {
        std::uint32_t begin = 0;
        std::uint32_t size = 0;
    };

    [[nodiscard]] std::size_t size() const { return nodes_by_rank_.size(); }
    [[nodiscard]] std::size_t step_count() const { return step_count_; }
    [[nodiscard]] std::size_t target_count() const { return root_steps_.size(); }

    /// Nodes with that production / label; empty if there are none.
    [[nodiscard]] Run production_run(tree::ProductionId production) const {
        return find(production_runs_, raw(production));
    }
    [[nodiscard]] Run label_run(tree::SymbolId label) const { return find(label_runs_, raw(label)); }
    [[nodiscard]] tree::ProductionId production_at(std::uint32_t rank) const { return productions_[rank]; }
    /// First ranks, ascending, of the productions of `label` that have a child labelled `child`. Only
    /// where nodes match by label.
    [[nodiscard]] std::span<const std::uint32_t> productions_with_child(tree::SymbolId label,
                                                                        tree::SymbolId child) const;

    /// For the run of a production: the ranks of the nodes' c-th children, counting those of NodeIndex::children().
    [[nodiscard]] const std::uint32_t* child_ranks(Run run, std::size_t c) const {
        return child_ranks_.data() + column_begin_[run.begin] + c * run.size;
    }
    [[nodiscard]] std::span<const tree::NodeId> nodes_by_rank() const { return nodes_by_rank_; }

    /// Adds value(i) of the i-th node of a run to its steps.
    template <typename T, typename Value>
    void scatter(Run run, T* by_step, Value&& value) const;
    /// The sum of the values at the steps of a node: the transpose of scatter.
    template <typename T>
    [[nodiscard]] T gather(std::uint32_t rank, const T* by_step) const;

    /// In: what scatter left. Out: at each step, the sum over all nodes below it, by occurrence.
    template <typename T>
    void add_upwards(T* by_step) const;
    /// The transpose of add_upwards: at each step, the sum of the values of the steps above it (itself
    /// included), each times the number of its occurrences there.
    template <typename T>
    void add_downwards(T* by_step) const;

    static constexpr std::uint32_t kNoStep = 0xffffffffU;
    /// Step of each target's root; kNoStep for trees without nodes here (empty, or one leaf).
    [[nodiscard]] std::span<const std::uint32_t> root_steps() const { return root_steps_; }

    [[nodiscard]] std::size_t bytes() const;

  private:
    [[nodiscard]] static Run find(const std::vector<Run>& runs, std::uint32_t key) {
        return key < runs.size() ? runs[key] : Run{};
    }

    // Steps of construction.
    void lay_out_ranks(const tree::Forest& forest, const NodeIndex& nodes);
    void link_productions(const tree::Forest& forest);
    void lay_out_steps(const NodeIndex& nodes, std::span<const tree::NodeId> roots);

    /// Steps with the same number of children; their children's steps are one after the other.
    struct Stretch {
        std::uint32_t begin;
        std::uint32_t end;
        std::uint32_t children;
        std::size_t first;  ///< in step_children_
    };

    std::vector<tree::NodeId> nodes_by_rank_;
    std::vector<tree::ProductionId> productions_;
    std::vector<Run> production_runs_;       // by production id
    std::vector<Run> label_runs_;            // by symbol id
    std::vector<std::size_t> column_begin_;  // by rank, valid at the first rank of a production
    std::vector<std::uint32_t> child_ranks_;
    std::vector<std::uint64_t>
        child_keys_;  // (label, child's label) of each entry of child_productions_, ascending
    std::vector<std::uint32_t> child_productions_;

    std::size_t step_count_ = 0;
    std::vector<std::uint32_t> step_of_rank_;  // kNoStep for bottom nodes: theirs are
    std::vector<std::size_t> parents_begin_;   // from parents_begin_[rank] up to that of the next rank
    std::vector<std::uint32_t> parents_;
    std::vector<Stretch> stretches_;
    std::vector<std::uint32_t> step_children_;
    std::vector<std::uint32_t> root_steps_;
};

template <typename T, typename Value>
void TargetIndex::scatter(Run run, T* by_step, Value&& value) const {
    const std::uint32_t* steps = step_of_rank_.data() + run.begin;
    for (std::uint32_t i = 0; i < run.size; ++i) {
        if (steps[i] != kNoStep) {
            by_step[steps[i]] += value(i);
        } else {
            const T shared = value(i);
            for (std::size_t p = parents_begin_[run.begin + i]; p < parents_begin_[run.begin + i + 1]; ++p) {
                by_step[parents_[p]] += shared;
            }
        }
    }
}

template <typename T>
T TargetIndex::gather(std::uint32_t rank, const T* by_step) const {
    if (step_of_rank_[rank] != kNoStep) {
        return by_step[step_of_rank_[rank]];
    }
    T sum = 0;
    for (std::size_t p = parents_begin_[rank]; p < parents_begin_[rank + 1]; ++p) {
        sum += by_step[parents_[p]];
    }
    return sum;
}

template <typename T>
void TargetIndex::add_upwards(T* by_step) const {
    // A fixed number of children makes loops without a branch; few nodes have more.
    const auto add = [&]<std::uint32_t kChildren>(const Stretch& stretch,
                                                  std::integral_constant<std::uint32_t, kChildren>) {
        const std::uint32_t* child = step_children_.data() + stretch.first;
        for (std::uint32_t step = stretch.begin; step < stretch.end; ++step, child += kChildren) {
            T sum = by_step[step];
            for (std::uint32_t c = 0; c < kChildren; ++c) {
                sum += by_step[child[c]];
            }
            by_step[step] = sum;
        }
    };
    for (const Stretch& stretch : stretches_) {
        if (stretch.children == 1) {
            add(stretch, std::integral_constant<std::uint32_t, 1>());
        } else if (stretch.children == 2) {
            add(stretch, std::integral_constant<std::uint32_t, 2>());
        } else if (stretch.children == 3) {
            add(stretch, std::integral_constant<std::uint32_t, 3>());
        } else {
            const std::uint32_t* child = step_children_.data() + stretch.first;
            for (std::uint32_t step = stretch.begin; step < stretch.end; ++step) {
                for (std::uint32_t c = 0; c < stretch.children; ++c) {
                    by_step[step] += by_step[*child++];
                }
            }
        }
    }
}

template <typename T>
void TargetIndex::add_downwards(T* by_step) const {
    for (auto stretch = stretches_.rbegin(); stretch != stretches_.rend(); ++stretch) {
        const std::uint32_t* child = step_children_.data() + stretch->first;
        for (std::uint32_t step = stretch->begin; step < stretch->end; ++step) {
            for (std::uint32_t c = 0; c < stretch->children; ++c) {
                by_step[*child++] += by_step[step];
            }
        }
    }
}

}  // namespace treeline::kernel
