#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/forest.hpp"

namespace treeline::kernel {

/// The distinct nodes of a set of target trees, laid out for evaluating one tree against all of them at once.
///
/// Two numberings: by *rank* the nodes are sorted by (label, production, id), so that the nodes which share a
/// production, and those which share a label, are runs; by *step* they are sorted by (height, number of inner children, id),
/// so that children come before parents and equal numbers of children are runs.
///
/// The forest may grow afterwards: the index keeps to the nodes it was built from. Immutable; thread-safe.
class TargetIndex {
  public:
    /// `roots` are distinct trees of `forest` (or tree::kEmptyTree, whose values are 0). Without leaves, nodes and
    /// children that are leaves are left out.
    TargetIndex(const tree::Forest& forest, std::span<const tree::NodeId> roots, tree::Forest::Leaves leaves);

    /// A run of ranks.
    struct Run {
        std::uint32_t begin = 0;
        std::uint32_t size = 0;
    };

    [[nodiscard]] std::size_t size() const { return step_of_rank_.size(); }
    [[nodiscard]] std::size_t target_count() const { return root_steps_.size(); }

    /// Nodes with that production / label; empty if there are none.
    [[nodiscard]] Run production_run(tree::ProductionId production) const {
        return find(production_runs_, raw(production));
    }
    [[nodiscard]] Run label_run(tree::SymbolId label) const { return find(label_runs_, raw(label)); }
    /// Productions present, in rank order.
    [[nodiscard]] tree::ProductionId production_at(std::uint32_t rank) const { return productions_[rank]; }

    /// For the run of a production: the ranks of the nodes' c-th children (leaves not counted where they were left out).
    [[nodiscard]] const std::uint32_t* child_ranks(Run run, std::size_t c) const {
        return child_ranks_.data() + column_begin_[run.begin] + c * run.size;
    }
    [[nodiscard]] std::span<const std::uint32_t> step_of_rank() const { return step_of_rank_; }
    [[nodiscard]] std::span<const tree::NodeId> nodes_by_rank() const { return nodes_by_rank_; }

    /// In: a value per step. Out: at each step, the sum over the node and everything below it, by occurrence.
    template <typename T>
    void add_upwards(T* by_step) const;
    /// In: a value per step. Out: at each step, the sum of the values of the nodes above it (itself included) times the
    /// number of its occurrences below them. The transpose of add_upwards.
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

    /// Steps with the same number of children; their children's steps are one after the other.
    struct Stretch {
        std::uint32_t begin;
        std::uint32_t end;
        std::uint32_t children;
        std::size_t first;  ///< in step_children_
    };

    std::vector<std::uint32_t> step_of_rank_;
    std::vector<tree::NodeId> nodes_by_rank_;
    std::vector<tree::ProductionId> productions_;
    std::vector<Run> production_runs_;  // by production id
    std::vector<Run> label_runs_;       // by symbol id
    std::vector<std::size_t> column_begin_;  // by rank, valid at the first rank of a production
    std::vector<std::uint32_t> child_ranks_;
    std::vector<Stretch> stretches_;
    std::vector<std::uint32_t> step_children_;
    std::vector<std::uint32_t> root_steps_;
};

template <typename T>
void TargetIndex::add_upwards(T* by_step) const {
    for (const Stretch& stretch : stretches_) {
        const std::uint32_t* child = step_children_.data() + stretch.first;
        for (std::uint32_t step = stretch.begin; step < stretch.end; ++step) {
            T sum = by_step[step];
            for (std::uint32_t c = 0; c < stretch.children; ++c) {
                sum += by_step[*child++];
            }
            by_step[step] = sum;
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
