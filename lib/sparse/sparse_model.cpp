#include "sparse/sparse_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace treeline::sparse {

namespace {

/// A feature with its weights.
struct Used {
    ColumnId column = 0;
    double largest = 0;  // |weight|
    std::uint32_t size = 0;
    std::string text;
    std::vector<double> weights;  // by fit
};

std::vector<Used> used_features(const ColumnPool& columns, const tree::SymbolTable& symbols,
                                std::span<const SparseFit> fits) {
    std::map<ColumnId, Used> by_column;
    for (std::size_t k = 0; k < fits.size(); ++k) {
        for (const ColumnWeight& item : fits[k].weights) {
            Used& used = by_column[item.column];
            used.column = item.column;
            used.weights.resize(fits.size());
            used.weights[k] = item.weight;
            used.largest = std::max(used.largest, std::abs(item.weight));
        }
    }
    std::vector<Used> all;
    for (auto& [column, used] : by_column) {
        if (const auto fragment = columns.fragment(column)) {
            used.size = static_cast<std::uint32_t>(fragment->size());
            used.text = fragment::to_text(*fragment, symbols);
        }
        all.push_back(std::move(used));
    }
    std::ranges::sort(all, [](const Used& a, const Used& b) {
        return std::tuple(-a.largest, a.size, std::string_view(a.text)) <
               std::tuple(-b.largest, b.size, std::string_view(b.text));
    });
    return all;
}

}  // namespace

SparseModel make_model(const ColumnPool& columns, const tree::SymbolTable& symbols,
                       std::span<const SparseFit> fits, std::vector<std::string> labels,
                       linear::SparseLoss loss) {
    SparseModel made;
    linear::LinearModel& model = made.model;
    model.solver = loss == linear::SparseLoss::kLogistic ? linear::LinearSolver::kL1rLr
                                                         : linear::LinearSolver::kL1rL2lossSvc;
    model.labels = std::move(labels);
    model.bias = 1;
    const std::vector<Used> all = used_features(columns, symbols, fits);
    std::uint64_t flat = 0;
    for (const Used& used : all) {
        if (const auto fragment = columns.fragment(used.column)) {
            made.fragments.add(*fragment);
        } else {
            flat = std::max<std::uint64_t>(flat, columns.flat_feature(used.column));
        }
    }
    model.features = made.fragments.size() + flat;
    const std::size_t count = fits.size();
    model.weights.assign((model.features + 1) * count, 0.0);
    std::size_t next = 0;
    for (const Used& used : all) {
        const bool is_fragment = columns.fragment(used.column).has_value();
        const std::size_t feature =
            is_fragment ? next++ : made.fragments.size() + columns.flat_feature(used.column) - 1;
        std::ranges::copy(used.weights, model.weights.begin() + static_cast<std::ptrdiff_t>(feature * count));
    }
    for (std::size_t k = 0; k < count; ++k) {
        model.weights[model.features * count + k] = fits[k].bias;
    }
    return made;
}

}  // namespace treeline::sparse
