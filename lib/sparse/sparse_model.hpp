#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fragment/score.hpp"
#include "linear/linear_model.hpp"
#include "linear/sparse_problem.hpp"
#include "sparse/column_pool.hpp"
#include "sparse/sparse_learner.hpp"
#include "tree/symbols.hpp"

namespace treeline::sparse {

/// The features of some fits that have a weight, as one linear model over a list of fragments.
struct SparseModel {
    fragment::FragmentList
        fragments;  ///< by largest |weight| of any column descending, then size, then text; labels of the forest
    /// Fragments are features 0, 1, ...; flat feature i (from 1) is feature fragments + i - 1.
    linear::LinearModel model;

    [[nodiscard]] double weight(std::size_t feature, std::size_t column) const {
        return model.weights[feature * model.columns() + column];
    }
};

/// `labels`: the positive and the negative class of a single fit; of several, each one's positive class.
[[nodiscard]] SparseModel make_model(const ColumnPool& columns, const tree::SymbolTable& symbols,
                                     std::span<const SparseFit> fits, std::vector<std::string> labels,
                                     linear::SparseLoss loss);

}  // namespace treeline::sparse
