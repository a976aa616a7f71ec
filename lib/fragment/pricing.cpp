#include "fragment/pricing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "example/example_set.hpp"
#include "fragment/fragment_family.hpp"
#include "fragment/miner.hpp"

namespace treeline::fragment {

namespace {

using Rank = MiningSpace::Rank;
using tree::NodeId;

constexpr std::size_t kTreesOfAPiece = 4096;
constexpr std::size_t kRunsOfAPiece = 256;

}  // namespace

double Priced::largest() const {
    return scores.empty() ? unlisted : std::max(unlisted, std::abs(scores.front()));
}

PricingSpace::PricingSpace(const tree::Forest& forest, const kernel::TreeKernel& kernel, RowTrees rows)
    : rows_(std::move(rows)),
      space_(forest, kernel, rows_.trees, std::vector<double>(rows_.trees.size(), 1.0)),
      coefficients_(space_.roots().size()) {
    find_rows_of_trees();
    find_trees_of_nodes();
}

void PricingSpace::find_rows_of_trees() {
    const auto roots = space_.roots();
    std::vector<std::uint32_t> number(forest().size());
    for (std::uint32_t i = 0; i < roots.size(); ++i) {
        number[raw(roots[i])] = i;
    }
    rows_begin_.assign(roots.size() + 1, 0);
    for (const NodeId tree : rows_.trees) {
        if (tree != example::kEmptyTree) {
            ++rows_begin_[number[raw(tree)] + 1];
        }
    }
    for (std::size_t i = 0; i < roots.size(); ++i) {
        rows_begin_[i + 1] += rows_begin_[i];
    }
    rows_of_.resize(rows_begin_.back());
    std::vector<std::size_t> next(rows_begin_.begin(), rows_begin_.end() - 1);
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
        for (std::size_t t = rows_.begin[row]; t < rows_.begin[row + 1]; ++t) {
            if (rows_.trees[t] != example::kEmptyTree) {
                rows_of_[next[number[raw(rows_.trees[t])]]++] = row;
            }
        }
    }
}

/// Two walks over the trees: one counts, one fills in.
void PricingSpace::find_trees_of_nodes() {
    const auto roots = space_.roots();
    const auto walk = [&](std::size_t tree, std::vector<Rank>& pending, auto&& visit) {
        if (const Rank rank = space_.nodes().find(roots[tree]); rank != MiningSpace::kNoRank) {
            pending.push_back(rank);
        }
        while (!pending.empty()) {
            const Rank rank = pending.back();
            pending.pop_back();
            visit(rank);
            for (const auto& below : {space_.nodes().children(rank), space_.nodes().lone_leaves(rank)}) {
                pending.insert(pending.end(), below.begin(), below.end());
            }
        }
    };
    trees_begin_.assign(space_.size() + 1, 0);
    std::vector<Rank> pending;
    for (std::size_t tree = 0; tree < roots.size(); ++tree) {
        walk(tree, pending, [&](Rank rank) { ++trees_begin_[rank + 1]; });
    }
    for (Rank rank = 0; rank < space_.size(); ++rank) {
        trees_begin_[rank + 1] += trees_begin_[rank];
    }
    trees_.resize(trees_begin_.back());
    std::vector<std::size_t> next(trees_begin_.begin(), trees_begin_.end() - 1);
    for (std::uint32_t tree = 0; tree < roots.size(); ++tree) {
        walk(tree, pending, [&](Rank rank) { trees_[next[rank]++] = tree; });
    }
}

void PricingSpace::set_coefficients(std::span<const double> coefficients) {
    base::parallel_pieces(coefficients_.size(), kTreesOfAPiece, [&](std::size_t begin, std::size_t end) {
        for (std::size_t tree = begin; tree < end; ++tree) {
            double sum = 0;
            for (std::size_t r = rows_begin_[tree]; r < rows_begin_[tree + 1]; ++r) {
                sum += coefficients[rows_of_[r]];
            }
            coefficients_[tree] = sum;
        }
    });
    space_.set_coefficients(coefficients_);
}

Priced PricingSpace::price(std::span<const double> coefficients, const PricingOptions& options) {
    set_coefficients(coefficients);
    MinerOptions miner;
    miner.top = options.top;
    miner.threshold = options.threshold;
    miner.memory = options.memory;
    miner.weighted_only = true;
    miner.skip_repeats = options.skip_repeats;
    miner.from_above = options.from_above;
    Priced priced;
    const MiningReport report = mine(space_, miner, [&](const MinedFragment& found) {
        priced.fragments.add(found.fragment);
        priced.scores.push_back(found.relevance);
    });
    priced.patterns = report.patterns;
    priced.unlisted = report.limited ? report.least : options.threshold;
    return priced;
}

std::vector<double> PricingSpace::squares(std::span<const double> extents) const {
    std::vector<double> squares(space_.size());
    const auto runs = space_.production_runs();
    base::parallel_pieces(runs.size(), kRunsOfAPiece, [&](std::size_t begin, std::size_t end) {
        std::vector<double> sums(rows_.size());  // N_i of the production at hand
        for (std::size_t k = begin; k < end; ++k) {
            const auto each = [&](auto visit) {
                for (Rank rank = runs[k].begin; rank < runs[k].end; ++rank) {
                    for (std::size_t t = trees_begin_[rank]; t < trees_begin_[rank + 1]; ++t) {
                        const std::uint32_t tree = trees_[t];
                        for (std::size_t r = rows_begin_[tree]; r < rows_begin_[tree + 1]; ++r) {
                            visit(rank, rows_of_[r], space_.inverse_norm(tree));
                        }
                    }
                }
            };
            each([&](Rank, std::uint32_t row, double value) { sums[row] += value; });
            each([&](Rank rank, std::uint32_t row, double value) {
                squares[rank] += extents[row] * sums[row] * value;
            });
            each([&](Rank, std::uint32_t row, double) { sums[row] = 0; });
        }
    });
    return squares;
}

std::optional<Screened> PricingSpace::screen(std::span<const double> coefficients,
                                             std::span<const double> extents, double radius, std::size_t most,
                                             const PricingOptions& options) {
    set_coefficients(coefficients);
    const std::vector<double> by_rank = squares(extents);
    MinerOptions miner;
    miner.top = most + 1;
    miner.threshold = options.threshold;
    miner.memory = options.memory;
    miner.skip_repeats = options.skip_repeats;
    miner.from_above = false;
    miner.radius = radius;
    miner.squares = by_rank;
    Screened screened;
    const MiningReport report =
        mine(space_, miner, [&](const MinedFragment& found) { screened.fragments.add(found.fragment); });
    screened.patterns = report.patterns;
    return report.limited ? std::nullopt : std::optional(std::move(screened));
}

std::vector<FragmentColumn> PricingSpace::columns(const FragmentList& fragments) const {
    struct Entry {
        std::uint32_t row;
        double value;
    };
    std::vector<FragmentColumn> columns(fragments.size());
    visit_occurrences(space_, WeightScheme::kExact, fragments, forest().symbols(),
                      [&](std::size_t fragment, const Occurrence& found) {
                          std::vector<Entry> entries;
                          for (std::size_t i = 0; i < found.nodes.size(); ++i) {
                              const double value =
                                  found.factor * (found.values.empty() ? 1 : found.values[i]);
                              const Rank rank = found.nodes[i];
                              for (std::size_t t = trees_begin_[rank]; t < trees_begin_[rank + 1]; ++t) {
                                  const std::uint32_t tree = trees_[t];
                                  const double share = value * space_.inverse_norm(tree);
                                  for (std::size_t r = rows_begin_[tree]; r < rows_begin_[tree + 1]; ++r) {
                                      entries.push_back({rows_of_[r], share});
                                  }
                              }
                          }
                          std::ranges::stable_sort(entries, {}, &Entry::row);
                          FragmentColumn& column = columns[fragment];
                          for (const Entry& entry : entries) {
                              if (!column.rows.empty() && column.rows.back() == entry.row) {
                                  column.values.back() += entry.value;
                              } else if (entry.value != 0) {
                                  column.rows.push_back(entry.row);
                                  column.values.push_back(entry.value);
                              }
                          }
                          column.rows.shrink_to_fit();
                          column.values.shrink_to_fit();
                      });
    return columns;
}

std::vector<std::uint64_t> PricingSpace::counts(const FragmentList& fragments) const {
    std::vector<std::uint64_t> counts;
    for (const Score& score : score_fragments(space_, WeightScheme::kExact, fragments, forest().symbols())) {
        counts.push_back(score.count);
    }
    return counts;
}

bool PricingSpace::screens() const { return !fragments_of(kernel()).skips_children(); }

std::size_t PricingSpace::bytes() const {
    return space_.bytes() +
           (rows_.begin.capacity() + trees_begin_.capacity() + rows_begin_.capacity()) * sizeof(std::size_t) +
           rows_.trees.capacity() * sizeof(NodeId) + coefficients_.capacity() * sizeof(double) +
           (trees_.capacity() + rows_of_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace treeline::fragment
