#include "sparse/feature_rows.hpp"

#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "example/distinct_examples.hpp"

namespace treeline::sparse {

FeatureRows::FeatureRows(const tree::Forest& forest, const example::ExampleSet& examples,
                         std::span<const std::uint32_t> subset, std::span<const std::uint32_t> classes,
                         const kernel::TreeKernel& kernel, fragment::FlatFeatures vectors) {
    const auto distinct = example::find_distinct(examples, subset);
    std::unordered_map<std::uint64_t, std::uint32_t> row_of;
    std::vector<std::uint32_t> firsts;
    row_of.reserve(subset.size());
    fragment::RowTrees trees;
    for (std::size_t i = 0; i < subset.size(); ++i) {
        const std::uint32_t example = subset[i];
        if (!(examples.cost(example) > 0)) {
            continue;
        }
        const std::uint64_t key = std::uint64_t{distinct.which[i]} << 32 | classes[i];
        const auto [row, added] = row_of.emplace(key, static_cast<std::uint32_t>(classes_.size()));
        if (added) {
            const auto roots = examples.trees(example);
            if (roots.size() > 1 && kernel.pairing == kernel::Pairing::kAligned) {
                throw base::Error(
                    "several trees, and a kernel that compares the first with the first, the second with the second, in "
                    "spaces of their own; expected one tree, or a kernel with pairs=all");
            }
            classes_.push_back(classes[i]);
            costs_.push_back(0);
            counts_.push_back(0);
            firsts.push_back(example);
            trees.trees.insert(trees.trees.end(), roots.begin(), roots.end());
            trees.begin.push_back(trees.trees.size());
        }
        costs_[row->second] += examples.cost(example);
        ++counts_[row->second];
    }
    trees_ = std::make_unique<fragment::PricingSpace>(forest, kernel, std::move(trees));
    if (vectors != fragment::FlatFeatures::kNone) {
        add_flat(examples, firsts, vectors);
    }
}

FeatureRows FeatureRows::sample(std::size_t stride) const {
    FeatureRows some;
    fragment::RowTrees trees;
    double kept = 0;
    for (std::size_t row = 0; row < size(); row += stride) {
        some.classes_.push_back(classes_[row]);
        some.costs_.push_back(costs_[row]);
        kept += costs_[row];
        const auto roots = trees_->trees(row);
        trees.trees.insert(trees.trees.end(), roots.begin(), roots.end());
        trees.begin.push_back(trees.trees.size());
    }
    const double factor = std::accumulate(costs_.begin(), costs_.end(), 0.0) / kept;
    for (double& cost : some.costs_) {
        cost *= factor;
    }
    some.trees_ =
        std::make_unique<fragment::PricingSpace>(trees_->forest(), trees_->kernel(), std::move(trees));
    for (const FlatColumn& flat : flat_) {
        FlatColumn& column = some.flat_.emplace_back(FlatColumn{flat.feature, {}});
        for (std::size_t k = 0; k < flat.column.rows.size(); ++k) {
            if (flat.column.rows[k] % stride == 0) {
                column.column.rows.push_back(static_cast<std::uint32_t>(flat.column.rows[k] / stride));
                column.column.values.push_back(flat.column.values[k]);
            }
        }
    }
    return some;
}

void FeatureRows::add_flat(const example::ExampleSet& examples, std::span<const std::uint32_t> firsts,
                           fragment::FlatFeatures vectors) {
    std::unordered_map<std::uint32_t, std::size_t> number;
    std::map<std::uint32_t, double> entries;
    for (std::uint32_t row = 0; row < firsts.size(); ++row) {
        entries.clear();
        for (std::size_t v = 0; v < examples.vector_count(firsts[row]); ++v) {
            const auto vector = examples.vector(firsts[row], v);
            double square = 0;
            for (const example::Feature& feature : vector) {
                square += feature.value * feature.value;
            }
            const bool unit = vectors == fragment::FlatFeatures::kUnit && square > 0;
            const double factor = unit ? 1 / std::sqrt(square) : 1;
            for (const example::Feature& feature : vector) {
                entries[feature.index] += feature.value * factor;
            }
        }
        for (const auto& [feature, value] : entries) {
            if (value == 0) {
                continue;
            }
            const auto [found, added] = number.emplace(feature, flat_.size());
            if (added) {
                flat_.push_back({feature, {}});
            }
            flat_[found->second].column.rows.push_back(row);
            flat_[found->second].column.values.push_back(value);
        }
    }
}

std::vector<double> FeatureRows::labels(std::uint32_t positive) const {
    std::vector<double> labels;
    labels.reserve(size());
    for (const std::uint32_t own : classes_) {
        labels.push_back(own == positive ? 1 : -1);
    }
    return labels;
}

std::vector<double> FeatureRows::costs(std::span<const double> labels, double factor) const {
    std::vector<double> costs = costs_;
    for (std::size_t row = 0; row < size(); ++row) {
        costs[row] *= labels[row] > 0 ? factor : 1;
    }
    return costs;
}

std::vector<double> FeatureRows::flat_scores(std::span<const double> coefficients) const {
    std::vector<double> scores(flat_.size());
    base::parallel_pieces(flat_.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t j = begin; j < end; ++j) {
            const linear::SparseColumn& column = flat_[j].column;
            for (std::size_t k = 0; k < column.rows.size(); ++k) {
                scores[j] += coefficients[column.rows[k]] * column.values[k];
            }
        }
    });
    return scores;
}

std::size_t FeatureRows::bytes() const {
    std::size_t bytes = trees_->bytes() + size() * (sizeof(double) + sizeof(std::uint32_t));
    for (const FlatColumn& flat : flat_) {
        bytes += sizeof(flat) + flat.column.rows.size() * (sizeof(double) + sizeof(std::uint32_t));
    }
    return bytes;
}

}  // namespace treeline::sparse
