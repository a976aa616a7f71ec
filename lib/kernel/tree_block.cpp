#include "kernel/tree_block.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include "base/parallel.hpp"
#include "kernel/delta_rows.hpp"
#include "kernel/tree_rows.hpp"

namespace treeline::kernel {

using kernel::TargetIndex;
using tree::Forest;
using tree::NodeId;

namespace {

/// Trees whose nodes are evaluated together: enough to share subtrees, few enough that their rows stay in the
/// cache.
constexpr std::size_t kTreesTogether = 32;
constexpr std::size_t kRanksTogether = 8192;
/// Sums over trees are formed in at most this many parts, which are added in order.
constexpr std::size_t kParts = 16;

std::vector<NodeId> distinct(std::vector<NodeId> roots) {
    std::ranges::sort(roots);
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    return roots;
}

/// A tree of one of the examples at hand; `owner` is the example's place among them.
struct OwnedTree {
    NodeId root;
    std::uint32_t owner;
    auto operator<=>(const OwnedTree&) const = default;
};

/// The nodes of several trees together, each once.
class NodeUnion {
  public:
    static constexpr std::uint32_t kAbsent = 0xffffffffU;

    /// The trees are sorted.
    void assign(const Forest& forest, const KernelFamily& family, std::span<const OwnedTree> trees) {
        const auto counts = [&](NodeId node) { return family.takes_part(forest, node); };
        std::vector<NodeId>& nodes = nodes_.nodes;
        nodes.clear();
        for (std::size_t i = 0; i < trees.size(); ++i) {
            if (counts(trees[i].root) && (i == 0 || trees[i].root != trees[i - 1].root)) {
                nodes.push_back(trees[i].root);
            }
        }
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            std::ranges::copy_if(forest.children(nodes[i]), std::back_inserter(nodes), counts);
        }
        nodes = distinct(std::move(nodes));
        nodes_.children.clear();
        nodes_.children_begin.assign(1, 0);
        for (const NodeId node : nodes) {
            for (const NodeId child : forest.children(node)) {
                if (counts(child)) {
                    nodes_.children.push_back(position(child));
                }
            }
            nodes_.children_begin.push_back(nodes_.children.size());
        }
    }

    [[nodiscard]] const tree::TreeNodes& nodes() const { return nodes_; }
    [[nodiscard]] std::size_t size() const { return nodes_.nodes.size(); }
    /// kAbsent for a leaf where leaves are left out.
    [[nodiscard]] std::uint32_t position(NodeId node) const {
        const auto at = std::ranges::lower_bound(nodes_.nodes, node);
        return at == nodes_.nodes.end() || *at != node
                   ? kAbsent
                   : static_cast<std::uint32_t>(at - nodes_.nodes.begin());
    }
    [[nodiscard]] std::span<const std::uint32_t> children(std::size_t at) const {
        return {nodes_.children.data() + nodes_.children_begin[at],
                nodes_.children_begin[at + 1] - nodes_.children_begin[at]};
    }

  private:
    tree::TreeNodes nodes_;
};

/// Sorted trees, so that those which share subtrees (they were read together) are evaluated together.
template <typename Owners, typename ExampleOf>
std::vector<OwnedTree> gather_trees(const TreeSlot& slot, const Owners& owners, ExampleOf example_of) {
    std::vector<OwnedTree> trees;
    trees.reserve(owners.size());
    for (std::size_t i = 0; i < owners.size(); ++i) {
        for (const NodeId root : slot.trees(example_of(owners[i]))) {
            if (root != example::kEmptyTree) {
                trees.push_back({root, static_cast<std::uint32_t>(i)});
            }
        }
    }
    std::ranges::sort(trees);
    return trees;
}

struct Workspace {
    NodeUnion nodes;
    std::vector<double> sums;
};

}  // namespace

std::span<const NodeId> TreeSlot::trees(std::uint32_t example) const {
    const auto all = examples->trees(example);
    return place == kAllTrees ? all : all.subspan(std::min(place, all.size()), place < all.size() ? 1 : 0);
}

void TreeSlot::prepare(std::span<const std::uint32_t> targets) {
    norms.resize(forest->size(), std::numeric_limits<double>::quiet_NaN());
    std::vector<NodeId> unknown;
    for (const std::uint32_t target : targets) {
        for (const NodeId root : trees(target)) {
            if (root != example::kEmptyTree && std::isnan(norms[raw(root)])) {
                unknown.push_back(root);
            }
        }
    }
    unknown = distinct(std::move(unknown));
    const auto self = kernel::self_kernels(*forest, unknown, kernel);
    std::ranges::for_each(self, [&](double value) { largest_self = std::max(largest_self, value); });
    const auto values = kernel::inverse_norms(self, kernel);
    for (std::size_t i = 0; i < unknown.size(); ++i) {
        norms[raw(unknown[i])] = values[i];
    }
}

TreeBlock::TreeBlock(const TreeSlot& slot, std::span<const std::uint32_t> targets)
    : slot_(&slot),
      roots_([&] {
          std::vector<NodeId> roots;
          for (const auto& tree : gather_trees(slot, targets, [](std::uint32_t target) { return target; })) {
              roots.push_back(tree.root);
          }
          return distinct(std::move(roots));
      }()),
      index_(*slot.forest, roots_, slot.kernel) {
    for (const std::uint32_t target : targets) {
        for (const NodeId root : slot.trees(target)) {
            if (root != example::kEmptyTree) {
                which_.push_back(
                    static_cast<std::uint32_t>(std::ranges::lower_bound(roots_, root) - roots_.begin()));
            }
        }
        begin_.push_back(which_.size());
    }
}

/// By rank: d[b] = sum_a W[a] D(a, b), W the node weights of x.
template <typename T>
std::vector<double> TreeBlock::sums_by_rank(std::span<const WeightedExample> x) const {
    const TreeSlot& slot = *slot_;
    const double single = slot.kernel.counted_single_node();
    const auto trees = gather_trees(slot, x, [](const WeightedExample& item) { return item.example; });
    const std::size_t pieces = (trees.size() + kTreesTogether - 1) / kTreesTogether;
    const std::size_t pieces_in_part = std::max<std::size_t>(1, (pieces + kParts - 1) / kParts);
    std::vector<std::vector<double>> parts((pieces + pieces_in_part - 1) / pieces_in_part);

    base::parallel_pieces(pieces, pieces_in_part, [&](std::size_t begin, std::size_t end) {
        std::vector<double>& sums = parts[begin / pieces_in_part];
        sums.assign(index_.size(), 0);
        Workspace work;
        kernel::DeltaRows<T> deltas(*slot.forest, index_, slot.kernel);
        for (std::size_t piece = begin; piece < end; ++piece) {
            const std::size_t first = piece * kTreesTogether;
            const auto together =
                std::span(trees).subspan(first, std::min(kTreesTogether, trees.size() - first));
            work.nodes.assign(*slot.forest, slot.kernel.family(), together);
            work.sums.assign(work.nodes.size(), 0);
            for (const auto& tree : together) {
                const auto at = work.nodes.position(tree.root);
                if (at != NodeUnion::kAbsent) {
                    work.sums[at] += x[tree.owner].weight * slot.norms[raw(tree.root)];
                }
            }
            for (std::size_t a = work.nodes.size(); a-- > 0;) {
                for (const std::uint32_t child : work.nodes.children(a)) {
                    work.sums[child] += work.sums[a];
                }
            }
            deltas.clear();
            for (std::size_t a = 0; a < work.nodes.size(); ++a) {
                const auto& row = deltas.add(work.nodes.nodes().nodes[a]);
                const double weight = work.sums[a];
                double* sum = sums.data() + row.run.begin;
                for (std::uint32_t i = 0; i < row.run.size; ++i) {
                    sum[i] += weight * (static_cast<double>(row.counted[i]) + single);
                }
            }
        }
    });

    std::vector<double> by_rank(index_.size());
    for (const auto& part : parts) {
        std::ranges::transform(by_rank, part, by_rank.begin(), std::plus<>());
    }
    return by_rank;
}

void TreeBlock::add_at_targets(std::span<const WeightedExample> x, std::span<double> out) const {
    const TreeSlot& slot = *slot_;
    const auto by_rank = slot.is_single() ? sums_by_rank<float>(x) : sums_by_rank<double>(x);
    std::vector<double> by_step(index_.step_count());
    const TargetIndex::Run all_ranks{0, static_cast<std::uint32_t>(index_.size())};
    index_.scatter(all_ranks, by_step.data(), [&](std::uint32_t rank) { return by_rank[rank]; });
    index_.add_upwards(by_step.data());
    for (std::size_t t = 0; t < out.size(); ++t) {
        for (std::size_t i = begin_[t]; i < begin_[t + 1]; ++i) {
            const std::uint32_t step = index_.root_steps()[which_[i]];
            if (step != TargetIndex::kNoStep) {
                out[t] += slot.weight * by_step[step] * slot.norms[raw(roots_[which_[i]])];
            }
        }
    }
}

void TreeBlock::add_at_examples(std::span<const double> weights, std::span<const std::uint32_t> examples,
                                std::span<double> out) const {
    const TreeSlot& slot = *slot_;
    std::vector<double> by_step(index_.step_count());
    for (std::size_t t = 0; t < weights.size(); ++t) {
        for (std::size_t i = begin_[t]; i < begin_[t + 1]; ++i) {
            const std::uint32_t step = index_.root_steps()[which_[i]];
            if (step != TargetIndex::kNoStep) {
                by_step[step] += weights[t] * slot.norms[raw(roots_[which_[i]])];
            }
        }
    }
    index_.add_downwards(by_step.data());
    std::vector<double> by_rank(index_.size());  // W
    base::parallel_pieces(by_rank.size(), kRanksTogether, [&](std::size_t begin, std::size_t end) {
        for (std::size_t rank = begin; rank < end; ++rank) {
            by_rank[rank] = index_.gather(static_cast<std::uint32_t>(rank), by_step.data());
        }
    });
    if (slot.is_single()) {
        add_weighted<float>(by_rank, examples, out);
    } else {
        add_weighted<double>(by_rank, examples, out);
    }
}

template <typename T>
void TreeBlock::add_weighted(std::span<const double> by_rank, std::span<const std::uint32_t> examples,
                             std::span<double> out) const {
    const TreeSlot& slot = *slot_;
    const double single = slot.kernel.counted_single_node();
    const auto trees = gather_trees(slot, examples, [](std::uint32_t example) { return example; });
    std::vector<double> values(trees.size());
    base::parallel_pieces(trees.size(), kTreesTogether, [&](std::size_t begin, std::size_t end) {
        Workspace work;
        kernel::DeltaRows<T> deltas(*slot.forest, index_, slot.kernel);
        const auto together = std::span(trees).subspan(begin, end - begin);
        work.nodes.assign(*slot.forest, slot.kernel.family(), together);
        deltas.clear();
        work.sums.resize(work.nodes.size());
        for (std::size_t a = 0; a < work.nodes.size(); ++a) {
            const auto& row = deltas.add(work.nodes.nodes().nodes[a]);
            const double* weight = by_rank.data() + row.run.begin;
            double sum = 0;
            for (std::uint32_t i = 0; i < row.run.size; ++i) {
                sum += weight[i] * (static_cast<double>(row.counted[i]) + single);
            }
            for (const std::uint32_t child : work.nodes.children(a)) {
                sum += work.sums[child];
            }
            work.sums[a] = sum;
        }
        for (std::size_t i = begin; i < end; ++i) {
            const auto at = work.nodes.position(trees[i].root);
            values[i] = at != NodeUnion::kAbsent ? work.sums[at] * slot.norms[raw(trees[i].root)] : 0;
        }
    });
    for (std::size_t i = 0; i < trees.size(); ++i) {
        out[trees[i].owner] += slot.weight * values[i];
    }
}

std::size_t TreeBlock::bytes() const {
    return index_.bytes() + begin_.capacity() * sizeof(std::size_t) +
           which_.capacity() * sizeof(std::uint32_t) + roots_.capacity() * sizeof(NodeId);
}

}  // namespace treeline::kernel
