#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/names.hpp"
#include "linear/sparse_problem.hpp"
#include "sparse/feature_rows.hpp"
#include "sparse/sparse_model.hpp"

namespace treeline::sparse {

/// Where the biases of several classes come from.
enum class ClassBias {
    kUnseen,   ///< unseen_biases()
    kOptimal,  ///< the optimum of each class's own question
};

inline constexpr base::NameTable<ClassBias, 2> kClassBiasNames{{
    {ClassBias::kUnseen, "unseen"},
    {ClassBias::kOptimal, "optimal"},
}};

/// Biases for trees that are not among `rows`, one a column of `model`. A tree in which nothing of the model occurs goes to the class with the
/// largest bias, so that one has to be right among such trees. At the optimum it need not be: each training tree has fragments that no other
/// one has, and what these explain is missing in the bias. Here, with the weights as they are, b of each class is the least of
///     sum_i c_i loss(y_i (w.x'_i + b)),   x'_i: x_i without the features that example i alone has.
/// `positives`: the class of each column. Where no b is better than another, it stays what it is in `model`.
[[nodiscard]] std::vector<double> unseen_biases(const FeatureRows& rows, const SparseModel& model,
                                                std::span<const std::uint32_t> positives, double cost_factor,
                                                linear::SparseLoss loss);

}  // namespace treeline::sparse
