#include "kernel/delta_rows.hpp"

#include <algorithm>

namespace treeline::kernel {

using tree::Forest;
using tree::NodeId;

namespace {

/// Index into a child's row: the position within its run, or the 0 after it for ranks outside the run.
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
    const TargetIndex::Run run =
        by_label_ ? index_->label_run(forest_->label(a)) : index_->production_run(forest_->production(a));
    T* const values = allocate(run.size + 1);
    values[run.size] = 0;
    if (run.size > 0) {
        if (by_label_) {
            fill_by_label(a, run, values);
        } else {
            fill_by_production(a, run, values);
        }
    }
    table_.insert(tree::mix_hash(0, raw(a)), static_cast<std::uint32_t>(rows_.size()));
    nodes_.push_back(a);
    const bool apart = kernel_->leaves_terminals_out() && run.size > 0;
    return rows_.emplace_back(Row{run, values, apart ? without_terminals(a, run, values) : values});
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
    const T sigma = static_cast<T>(kernel_->family().sigma());
    std::fill_n(out, run.size, static_cast<T>(kernel_->lambda));
    std::size_t column = 0;
    for (const NodeId child : forest_->children(a)) {
        // A leaf child is part of the production and contributes the factor 1.
        if (forest_->is_leaf(child)) {
            continue;
        }
        const Row& below = child_row(child);
        if (below.run.size > 0 || sigma == 0) {
            multiply_children(out, run.size, index_->child_ranks(run, column), below.run, below.values,
                              sigma);
        }
        ++column;
    }
}

template <typename T>
TargetIndex::Run DeltaRows<T>::leaf_run(tree::SymbolId label) const {
    const auto production = forest_->find_production(label, {});
    return production ? index_->production_run(*production) : TargetIndex::Run{};
}

template <typename T>
const T* DeltaRows<T>::without_terminals(NodeId a, TargetIndex::Run run, const T* values) {
    T* const counted = allocate(run.size + 1);
    if (forest_->is_leaf(a)) {
        std::fill_n(counted, run.size + 1, T{0});
        return counted;
    }
    std::copy_n(values, run.size + 1, counted);
    if (const TargetIndex::Run leaves = leaf_run(forest_->label(a)); leaves.size > 0) {
        std::fill_n(counted + (leaves.begin - run.begin), leaves.size, T{0});
    }
    return counted;
}

template <typename T>
void DeltaRows<T>::fill_by_label(NodeId a, TargetIndex::Run label_run, T* out) {
    // Nodes that share no child label with a have D = single_node(), or F times that if either has no children.
    const bool is_leaf = forest_->is_leaf(a);
    const T excess = static_cast<T>(kernel_->terminal_excess());
    std::fill_n(out, label_run.size, is_leaf ? excess : T{0});
    if (is_leaf) {
        return;
    }
    if (excess != 0) {
        if (const TargetIndex::Run leaves = leaf_run(forest_->label(a)); leaves.size > 0) {
            std::fill_n(out + (leaves.begin - label_run.begin), leaves.size, excess);
        }
    }
    // The others are found by their productions.
    const auto children = forest_->children(a);
    candidates_.clear();
    for (const NodeId child : children) {
        const auto found = index_->productions_with_child(forest_->label(a), forest_->label(child));
        candidates_.insert(candidates_.end(), found.begin(), found.end());
    }
    std::ranges::sort(candidates_);
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
    for (const std::uint32_t rank : candidates_) {
        const auto production = index_->production_at(rank);
        const std::size_t width = forest_->production_children(production).size();
        const std::uint32_t size = index_->production_run(production).size;
        find_matches(children, production);
        T* const values = out + (rank - label_run.begin);
        const std::size_t count = matches_.size();
        const bool spares = rule_.spares(std::min(count, children.size()), width);
        if (spares && count == 1) {
            sum_one_match(size, values);
        } else if (spares && count * count <= 4 * children.size() * width) {
            sum_chains(std::max(children.size(), width), size, values);
        } else {
            sum_subsequences(children.size(), width, size, values);
        }
    }
}

template <typename T>
void DeltaRows<T>::find_matches(std::span<const NodeId> children, tree::ProductionId production) {
    const TargetIndex::Run run = index_->production_run(production);
    const auto others = forest_->production_children(production);
    matches_.clear();
    for (std::size_t i = 0; i < children.size(); ++i) {
        const auto label = forest_->label(children[i]);
        for (std::size_t j = 0; j < others.size(); ++j) {
            if (others[j].label == label) {
                matches_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                                    child_row(children[i]), index_->child_ranks(run, j)});
            }
        }
    }
}

template <typename T>
void DeltaRows<T>::sum_one_match(std::uint32_t size, T* values) const {
    const T weight = static_cast<T>(kernel_->mu * rule_.pair);
    const T single = static_cast<T>(kernel_->single_node());
    const Match match = matches_[0];
    for (std::uint32_t b = 0; b < size; ++b) {
        values[b] = weight * (single + match.delta(b));
    }
}

template <typename T>
void DeltaRows<T>::sum_chains(std::size_t widest, std::uint32_t size, T* values) {
    const T pair = static_cast<T>(rule_.pair);
    const T mu = static_cast<T>(kernel_->mu);
    const T single = static_cast<T>(kernel_->single_node());
    while (powers_.size() <= 2 * widest) {
        powers_.push_back(powers_.empty() ? 1 : powers_.back() * static_cast<T>(rule_.decay));
    }
    const std::size_t count = matches_.size();
    ended_.resize(count);
    for (std::uint32_t b = 0; b < size; ++b) {
        T sum = 0;
        for (std::size_t k = 0; k < count; ++k) {
            T before = 1;
            for (std::size_t l = 0; l < k; ++l) {
                if (matches_[l].i < matches_[k].i && matches_[l].j < matches_[k].j) {
                    before += powers_[matches_[k].i - matches_[l].i + matches_[k].j - matches_[l].j - 2] *
                              ended_[l];
                }
            }
            ended_[k] = pair * (single + matches_[k].delta(b)) * before;
            sum += ended_[k];
        }
        values[b] = mu * sum;
    }
}

template <typename T>
void DeltaRows<T>::sum_subsequences(std::size_t arity, std::size_t width, std::uint32_t size, T* values) {
    const T single = static_cast<T>(kernel_->single_node());
    for (std::uint32_t b = 0; b < size; ++b) {
        std::size_t next = 0;
        const double below = subsequence_sum(
            arity, width, rule_,
            [&](std::size_t i, std::size_t j) -> double {
                return next < matches_.size() && matches_[next].i == i && matches_[next].j == j
                           ? single + matches_[next++].delta(b)
                           : 0;
            },
            decayed_);
        values[b] = static_cast<T>(kernel_->mu * below);
    }
}

template class DeltaRows<float>;
template class DeltaRows<double>;

}  // namespace treeline::kernel
