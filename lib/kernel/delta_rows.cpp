#include "kernel/delta_rows.hpp"

#include <algorithm>

#include "kernel/subsequences.hpp"

namespace treeline::kernel {

using tree::Forest;
using tree::NodeId;

namespace {

/// Index into a child's row: the position within its run, or the 0 behind it for ranks outside the run.
inline std::uint32_t in_run(std::uint32_t rank, TargetIndex::Run run) {
    return std::min(rank - run.begin, run.size);
}

template <typename T>
void multiply_children(T* out, std::uint32_t size, const std::uint32_t* ranks, TargetIndex::Run run,
                       const T* values, T sigma) {
    for (std::uint32_t i = 0; i < size; ++i) {
        out[i] *= sigma + values[in_run(ranks[i], run)];
    }
}

}  // namespace

template <typename T>
std::uint32_t DeltaRows<T>::find(NodeId a) const {
    return table_.find(tree::mix_hash(0, raw(a)), [&](std::uint32_t number) { return nodes_[number] == a; });
}

template <typename T>
const typename DeltaRows<T>::Row& DeltaRows<T>::add(NodeId a) {
    const TargetIndex::Run run = kernel_->is_partial() ? index_->label_run(forest_->label(a))
                                                       : index_->production_run(forest_->production(a));
    T* const values = allocate(run.size + 1);
    values[run.size] = 0;
    if (run.size > 0) {
        if (kernel_->is_partial()) {
            fill_by_label(a, run, values);
        } else {
            fill_by_production(a, run, values);
        }
    }
    table_.insert(tree::mix_hash(0, raw(a)), static_cast<std::uint32_t>(rows_.size()));
    nodes_.push_back(a);
    return rows_.emplace_back(Row{run, values});
}

template <typename T>
void DeltaRows<T>::clear() {
    table_.clear();
    nodes_.clear();
    rows_.clear();
    chunk_ = 0;
    chunk_used_ = 0;
    size_ = 0;
}

template <typename T>
T* DeltaRows<T>::allocate(std::size_t count) {
    constexpr std::size_t kChunk = 1 << 16;
    while (chunk_ < chunks_.size() && chunk_used_ + count > chunks_[chunk_].size) {
        ++chunk_;
        chunk_used_ = 0;
    }
    if (chunk_ == chunks_.size()) {
        const std::size_t size = std::max(kChunk, count);
        chunks_.push_back({std::make_unique_for_overwrite<T[]>(size), size});
    }
    T* const values = chunks_[chunk_].values.get() + chunk_used_;
    chunk_used_ += count;
    size_ += count;
    return values;
}

template <typename T>
void DeltaRows<T>::fill_by_production(NodeId a, TargetIndex::Run run, T* out) const {
    const T sigma = kernel_->is_subtree() ? 0 : 1;
    std::fill_n(out, run.size, static_cast<T>(kernel_->lambda));
    std::size_t column = 0;
    for (const NodeId child : forest_->children(a)) {
        // A leaf child is part of the production and contributes the factor 1.
        if (forest_->is_leaf(child)) {
            column += kernel_->uses_leaves() ? 1 : 0;
            continue;
        }
        const Row& below = child_row(child);
        if (below.run.size > 0 || kernel_->is_subtree()) {
            multiply_children(out, run.size, index_->child_ranks(run, column), below.run, below.values,
                              sigma);
        }
        ++column;
    }
}

template <typename T>
void DeltaRows<T>::fill_by_label(NodeId a, TargetIndex::Run label_run, T* out) {
    const auto children = forest_->children(a);
    const std::size_t arity = children.size();
    const TreeKernel& kernel = *kernel_;
    const TargetIndex& index = *index_;
    const Forest& forest = *forest_;
    const T lambda = static_cast<T>(kernel.lambda);
    const T mu = static_cast<T>(kernel.mu);
    const T lambda_squared = static_cast<T>(kernel.lambda * kernel.lambda);
    const T single = static_cast<T>(kernel.single_node());

    // Nodes that share no child label with a have D = single; the others are found by their productions.
    std::fill_n(out, label_run.size, T{0});
    candidates_.clear();
    for (std::size_t i = 0; i < arity; ++i) {
        const auto found = index.productions_with_child(forest.label(a), forest.label(children[i]));
        candidates_.insert(candidates_.end(), found.begin(), found.end());
    }
    std::ranges::sort(candidates_);
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());

    for (const std::uint32_t rank : candidates_) {
        const auto production = index.production_at(rank);
        const TargetIndex::Run run = index.production_run(production);
        const auto production_children = forest.production_children(production);
        T* const values = out + (rank - label_run.begin);

        matches_.clear();
        for (std::size_t i = 0; i < arity; ++i) {
            const auto label = forest.label(children[i]);
            for (std::size_t j = 0; j < production_children.size(); ++j) {
                if (production_children[j].label == label) {
                    matches_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                                        child_row(children[i]), index.child_ranks(run, j)});
                }
            }
        }
        const auto delta = [&](const Match& match, std::uint32_t b) {
            return single + match.row.values[match.ranks[b] - match.row.run.begin];
        };
        const std::size_t count = matches_.size();
        if (count == 1) {
            for (std::uint32_t b = 0; b < run.size; ++b) {
                values[b] = single * delta(matches_[0], b);
            }
        } else if (count * count <= 4 * arity * production_children.size()) {
            // Few matches: chains over the matches themselves. They are sorted by i, then j.
            const std::size_t widest = std::max(arity, production_children.size());
            while (powers_.size() <= 2 * widest) {
                powers_.push_back(powers_.empty() ? 1 : powers_.back() * lambda);
            }
            ended_.resize(count);
            for (std::uint32_t b = 0; b < run.size; ++b) {
                T sum = 0;
                for (std::size_t k = 0; k < count; ++k) {
                    T before = 1;
                    for (std::size_t l = 0; l < k; ++l) {
                        if (matches_[l].i < matches_[k].i && matches_[l].j < matches_[k].j) {
                            before +=
                                powers_[matches_[k].i - matches_[l].i + matches_[k].j - matches_[l].j - 2] *
                                ended_[l];
                        }
                    }
                    ended_[k] = lambda_squared * delta(matches_[k], b) * before;
                    sum += ended_[k];
                }
                values[b] = mu * sum;
            }
        } else {
            for (std::uint32_t b = 0; b < run.size; ++b) {
                std::size_t next = 0;
                const double below = subsequence_sum(
                    arity, production_children.size(), kernel.lambda,
                    [&](std::size_t i, std::size_t j) -> double {
                        return next < count && matches_[next].i == i && matches_[next].j == j
                                   ? delta(matches_[next++], b)
                                   : 0;
                    },
                    decayed_);
                values[b] = static_cast<T>(kernel.mu * below);
            }
        }
    }
}

template class DeltaRows<float>;
template class DeltaRows<double>;

}  // namespace treeline::kernel
