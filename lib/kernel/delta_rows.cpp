#include "kernel/delta_rows.hpp"

#include <algorithm>

#include "kernel/subsequences.hpp"

namespace treeline::kernel {

using tree::Forest;
using tree::NodeId;
using tree::TreeNodes;

namespace {

/// Index into a child's row: the position within its run, or the 0 behind it for ranks outside the run.
inline std::uint32_t in_run(std::uint32_t rank, TargetIndex::Run run) { return std::min(rank - run.begin, run.size); }

template <typename T>
void multiply_children(T* out, std::uint32_t size, const std::uint32_t* ranks, TargetIndex::Run run, const T* values,
                       T sigma) {
    for (std::uint32_t i = 0; i < size; ++i) {
        out[i] *= sigma + values[in_run(ranks[i], run)];
    }
}

}  // namespace

template <typename T>
void DeltaRows<T>::compute(const Forest& forest, const TargetIndex& index, const TreeKernel& kernel,
                           const TreeNodes& x) {
    const std::size_t size = x.nodes.size();
    rows_.resize(size);
    std::size_t total = 0;
    for (std::size_t a = 0; a < size; ++a) {
        rows_[a].run = kernel.is_partial() ? index.label_run(forest.label(x.nodes[a]))
                                           : index.production_run(forest.production(x.nodes[a]));
        total += rows_[a].run.size + 1;
    }
    if (values_.size() < total) {
        values_.resize(total);
    }
    T* out = values_.data();
    for (std::size_t a = 0; a < size; ++a) {
        rows_[a].values = out;
        if (rows_[a].run.size > 0) {
            if (kernel.is_partial()) {
                fill_by_label(forest, index, kernel, x, a, out);
            } else {
                fill_by_production(forest, index, kernel, x, a, out);
            }
        }
        out += rows_[a].run.size;
        *out++ = 0;
    }
}

template <typename T>
void DeltaRows<T>::fill_by_production(const Forest& forest, const TargetIndex& index, const TreeKernel& kernel,
                                      const TreeNodes& x, std::size_t a, T* out) const {
    const TargetIndex::Run run = rows_[a].run;
    const T sigma = kernel.is_subtree() ? 0 : 1;
    std::fill_n(out, run.size, static_cast<T>(kernel.lambda));
    for (std::size_t c = x.children_begin[a]; c < x.children_begin[a + 1]; ++c) {
        const std::uint32_t child = x.children[c];
        // A leaf child is part of the production and contributes the factor 1; so does one that nothing matches.
        const bool constant = rows_[child].run.size == 0 && !kernel.is_subtree();
        if (constant || (kernel.is_bow() && forest.is_leaf(x.nodes[child]))) {
            continue;
        }
        multiply_children(out, run.size, index.child_ranks(run, c - x.children_begin[a]), rows_[child].run,
                          rows_[child].values, sigma);
    }
}

template <typename T>
void DeltaRows<T>::fill_by_label(const Forest& forest, const TargetIndex& index, const TreeKernel& kernel,
                                 const TreeNodes& x, std::size_t a, T* out) {
    const TargetIndex::Run label_run = rows_[a].run;
    const std::size_t first_child = x.children_begin[a];
    const std::size_t arity = x.children_begin[a + 1] - first_child;
    const T lambda = static_cast<T>(kernel.lambda);
    const T mu = static_cast<T>(kernel.mu);
    const T lambda_squared = static_cast<T>(kernel.lambda * kernel.lambda);
    const T single = static_cast<T>(kernel.mu * (kernel.lambda * kernel.lambda));

    // Nodes that share no child label with a have D = mu lambda^2; the others are found by their productions.
    std::fill_n(out, label_run.size, single);
    candidates_.clear();
    for (std::size_t i = 0; i < arity; ++i) {
        const auto found = index.productions_with_child(forest.label(x.nodes[a]),
                                                        forest.label(x.nodes[x.children[first_child + i]]));
        candidates_.insert(candidates_.end(), found.begin(), found.end());
    }
    std::ranges::sort(candidates_);
    const auto repeated = std::ranges::unique(candidates_);
    candidates_.erase(repeated.begin(), repeated.end());

    for (const std::uint32_t rank : candidates_) {
        const auto production = index.production_at(rank);
        const TargetIndex::Run run = index.production_run(production);
        const auto production_children = forest.production_children(production);
        T* const values = out + (rank - label_run.begin);

        matches_.clear();
        for (std::size_t i = 0; i < arity; ++i) {
            const Row& child_row = rows_[x.children[first_child + i]];
            const auto label = forest.label(x.nodes[x.children[first_child + i]]);
            for (std::size_t j = 0; j < production_children.size() && child_row.run.size > 0; ++j) {
                if (production_children[j].label == label) {
                    matches_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), &child_row,
                                        index.child_ranks(run, j)});
                }
            }
        }
        const auto delta = [&](const Match& match, std::uint32_t b) {
            return match.row->values[match.ranks[b] - match.row->run.begin];
        };
        const std::size_t count = matches_.size();
        if (count == 1) {
            for (std::uint32_t b = 0; b < run.size; ++b) {
                values[b] = single * (1 + delta(matches_[0], b));
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
                            before += powers_[matches_[k].i - matches_[l].i + matches_[k].j - matches_[l].j - 2] * ended_[l];
                        }
                    }
                    ended_[k] = lambda_squared * delta(matches_[k], b) * before;
                    sum += ended_[k];
                }
                values[b] = single + mu * sum;
            }
        } else {
            for (std::uint32_t b = 0; b < run.size; ++b) {
                std::size_t next = 0;
                const double below = subsequence_sum(
                    arity, production_children.size(), kernel.lambda,
                    [&](std::size_t i, std::size_t j) -> double {
                        return next < count && matches_[next].i == i && matches_[next].j == j ? delta(matches_[next++], b) : 0;
                    },
                    decayed_);
                values[b] = single + static_cast<T>(kernel.mu * below);
            }
        }
    }
}

template class DeltaRows<float>;
template class DeltaRows<double>;

}  // namespace treeline::kernel
