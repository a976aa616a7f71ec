#include "kernel/target_index.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "kernel/node_index.hpp"

namespace treeline::kernel {

using tree::Forest;
using tree::NodeId;

namespace {

constexpr std::uint32_t kNone = TargetIndex::kNoStep;

std::uint64_t child_key(tree::SymbolId label, tree::SymbolId child) {
    return std::uint64_t{raw(label)} << 32U | raw(child);
}

/// Which nodes have a step, and what lies below it. Nodes are known by their *place*, the position among all of them ordered
/// by id: parents have larger places than children.
class StepPlan {
  public:
    StepPlan(const NodeIndex& nodes, std::span<const NodeId> roots) : nodes_(&nodes) {
        place_children();
        mark_roots(roots);
        find_owners();
        find_edges();
        order_steps();
    }

    using Edge = std::pair<std::uint32_t, std::uint32_t>;

    /// Places of the nodes that have a step, in the order of their steps.
    [[nodiscard]] std::span<const std::uint32_t> by_step() const { return by_step_; }
    /// kNoStep if it has none.
    [[nodiscard]] std::uint32_t step(std::uint32_t place) const { return step_of_[place]; }
    /// The step at which a node counts; kNoStep for bottom nodes.
    [[nodiscard]] std::uint32_t step_of_owner(std::uint32_t place) const {
        return is_bottom(place) ? kNone : step_of_[owner_[place]];
    }
    /// Of a node with a step: how many steps it is above the lowest one below it, and how many are directly below.
    [[nodiscard]] std::uint32_t height(std::uint32_t place) const { return height_[place]; }
    [[nodiscard]] std::uint32_t arity(std::uint32_t place) const { return arity_[place]; }
    /// (above, below): the steps below each step, by places; sorted.
    [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
    /// (rank, place): the nodes at whose steps a bottom node counts; sorted.
    [[nodiscard]] std::span<const Edge> bottom_edges() const { return bottom_edges_; }
    [[nodiscard]] std::uint32_t place(NodeIndex::Rank rank) const { return place_of_[rank]; }

  private:
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_->size()); }
    [[nodiscard]] std::span<const std::uint32_t> children(std::uint32_t place) const {
        return std::span(children_).subspan(begin_[place], begin_[place + 1] - begin_[place]);
    }
    /// A bottom node has nothing below it here.
    [[nodiscard]] bool is_bottom(std::uint32_t place) const { return begin_[place] == begin_[place + 1]; }
    [[nodiscard]] bool has_step(std::uint32_t place) const {
        return is_root_[place] || (parent_count_[place] > 1 && !is_bottom(place));
    }

    void place_children() {
        const auto ranks = nodes_->ascending();
        place_of_.resize(size());
        for (std::uint32_t place = 0; place < size(); ++place) {
            place_of_[ranks[place]] = place;
        }
        parent_count_.resize(size());
        begin_.reserve(size() + 1);
        begin_.push_back(0);
        for (const NodeIndex::Rank rank : ranks) {
            for (const auto& below : {nodes_->children(rank), nodes_->lone_leaves(rank)}) {
                for (const NodeIndex::Rank child : below) {
                    children_.push_back(place_of_[child]);
                    ++parent_count_[place_of_[child]];
                }
            }
            begin_.push_back(children_.size());
        }
    }

    void mark_roots(std::span<const NodeId> roots) {
        is_root_.resize(size());
        for (const NodeId root : roots) {
            if (const NodeIndex::Rank rank = nodes_->find(root); rank != NodeIndex::kNoRank) {
                is_root_[place_of_[rank]] = true;
            }
        }
    }

    /// owner: the node at whose step a node counts. From parents to children, so that owners are known before they are
    /// asked for.
    void find_owners() {
        owner_.assign(size(), kNone);
        for (std::uint32_t i = size(); i-- > 0;) {
            if (has_step(i)) {
                owner_[i] = i;
            }
            for (const std::uint32_t child : children(i)) {
                if (!has_step(child) && !is_bottom(child)) {
                    owner_[child] = owner_[i];
                }
            }
        }
    }

    void find_edges() {
        const auto ranks = nodes_->ascending();
        for (std::uint32_t i = 0; i < size(); ++i) {
            if (is_bottom(i) && is_root_[i]) {
                bottom_edges_.emplace_back(ranks[i], i);
            }
            for (const std::uint32_t child : children(i)) {
                if (is_bottom(child)) {
                    bottom_edges_.emplace_back(ranks[child], owner_[i]);
                } else if (has_step(child)) {
                    edges_.emplace_back(owner_[i], child);
                }
            }
        }
        std::ranges::sort(edges_);
        std::ranges::sort(bottom_edges_);
    }

    void order_steps() {
        height_.resize(size());
        arity_.resize(size());
        for (const auto& [above, below] : edges_) {
            height_[above] = std::max(height_[above], height_[below] + 1);
            ++arity_[above];
        }
        for (std::uint32_t i = 0; i < size(); ++i) {
            if (has_step(i)) {
                by_step_.push_back(i);
            }
        }
        std::ranges::sort(by_step_, {},
                          [this](std::uint32_t i) { return std::tuple(height_[i], arity_[i], i); });
        step_of_.assign(size(), kNone);
        for (std::uint32_t step = 0; step < by_step_.size(); ++step) {
            step_of_[by_step_[step]] = step;
        }
    }

    const NodeIndex* nodes_;
    std::vector<std::uint32_t> place_of_;  // by rank; all others by place
    std::vector<std::size_t> begin_;       // of its children
    std::vector<std::uint32_t> children_;
    std::vector<std::uint32_t> parent_count_;
    std::vector<bool> is_root_;
    std::vector<std::uint32_t> owner_;
    std::vector<Edge> edges_;
    std::vector<Edge> bottom_edges_;
    std::vector<std::uint32_t> height_;
    std::vector<std::uint32_t> arity_;
    std::vector<std::uint32_t> by_step_;
    std::vector<std::uint32_t> step_of_;
};

}  // namespace

TargetIndex::TargetIndex(const Forest& forest, std::span<const NodeId> roots, const TreeKernel& kernel) {
    const NodeIndex nodes(forest, roots, kernel);
    lay_out_ranks(forest, nodes);
    if (kernel.family().matches_by_label()) {
        link_productions(forest);
    }
    lay_out_steps(nodes, roots);
}

void TargetIndex::lay_out_ranks(const Forest& forest, const NodeIndex& nodes) {
    nodes_by_rank_.assign(nodes.nodes().begin(), nodes.nodes().end());
    productions_.reserve(nodes.size());
    std::ranges::transform(nodes.nodes(), std::back_inserter(productions_),
                           [&](NodeId node) { return forest.production(node); });
    const auto enter = [](std::vector<Run>& runs, std::uint32_t key, const NodeIndex::Run& run) {
        if (key >= runs.size()) {
            runs.resize(key + 1);
        }
        runs[key] = {run.begin, run.end - run.begin};
    };
    for (const NodeIndex::Run& run : nodes.label_runs()) {
        enter(label_runs_, raw(forest.label(nodes.node(run.begin))), run);
    }
    column_begin_.resize(nodes.size());
    for (const NodeIndex::Run& run : nodes.production_runs()) {
        enter(production_runs_, raw(productions_[run.begin]), run);
        column_begin_[run.begin] = child_ranks_.size();
        for (std::size_t c = 0; c < nodes.children(run.begin).size(); ++c) {
            for (std::uint32_t rank = run.begin; rank < run.end; ++rank) {
                child_ranks_.push_back(nodes.children(rank)[c]);
            }
        }
    }
}

void TargetIndex::link_productions(const Forest& forest) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> links;
    for (std::uint32_t rank = 0; rank < size(); rank += production_run(productions_[rank]).size) {
        for (const auto& child : forest.production_children(productions_[rank])) {
            links.emplace_back(child_key(forest.production_label(productions_[rank]), child.label), rank);
        }
    }
    std::ranges::sort(links);
    links.erase(std::unique(links.begin(), links.end()), links.end());
    for (const auto& [key, rank] : links) {
        child_keys_.push_back(key);
        child_productions_.push_back(rank);
    }
}

void TargetIndex::lay_out_steps(const NodeIndex& nodes, std::span<const NodeId> roots) {
    const StepPlan plan(nodes, roots);
    const auto by_step = plan.by_step();
    const auto edges = plan.edges();
    step_count_ = by_step.size();
    for (std::uint32_t step = 0; step < by_step.size(); ++step) {
        const std::uint32_t i = by_step[step];
        if (plan.arity(i) == 0) {
            continue;
        }
        if (stretches_.empty() || stretches_.back().end != step ||
            plan.height(by_step[step - 1]) != plan.height(i) || stretches_.back().children != plan.arity(i)) {
            stretches_.push_back({step, step, plan.arity(i), step_children_.size()});
        }
        ++stretches_.back().end;
        for (auto edge = std::ranges::lower_bound(edges, std::pair(i, 0U));
             edge != edges.end() && edge->first == i; ++edge) {
            step_children_.push_back(plan.step(edge->second));
        }
    }
    step_of_rank_.reserve(size());
    for (NodeIndex::Rank rank = 0; rank < size(); ++rank) {
        step_of_rank_.push_back(plan.step_of_owner(plan.place(rank)));
    }
    parents_begin_.assign(size() + 1, 0);
    for (const auto& [rank, above] : plan.bottom_edges()) {
        ++parents_begin_[rank + 1];
        parents_.push_back(plan.step(above));
    }
    std::partial_sum(parents_begin_.begin(), parents_begin_.end(), parents_begin_.begin());
    root_steps_.reserve(roots.size());
    for (const NodeId root : roots) {
        const NodeIndex::Rank rank = nodes.find(root);
        root_steps_.push_back(rank == NodeIndex::kNoRank ? kNoStep : plan.step(plan.place(rank)));
    }
}

std::span<const std::uint32_t> TargetIndex::productions_with_child(tree::SymbolId label,
                                                                   tree::SymbolId child) const {
    const auto [first, last] =
        std::equal_range(child_keys_.begin(), child_keys_.end(), child_key(label, child));
    return std::span(child_productions_)
        .subspan(static_cast<std::size_t>(first - child_keys_.begin()),
                 static_cast<std::size_t>(last - first));
}

std::size_t TargetIndex::bytes() const {
    return (step_of_rank_.capacity() + parents_.capacity() + nodes_by_rank_.capacity() +
            productions_.capacity() + child_ranks_.capacity() + step_children_.capacity() +
            root_steps_.capacity()) *
               sizeof(std::uint32_t) +
           (production_runs_.capacity() + label_runs_.capacity()) * sizeof(Run) +
           child_keys_.capacity() * sizeof(std::uint64_t) +
           child_productions_.capacity() * sizeof(std::uint32_t) +
           (column_begin_.capacity() + parents_begin_.capacity()) * sizeof(std::size_t) +
           stretches_.capacity() * sizeof(Stretch);
}

}  // namespace treeline::kernel
