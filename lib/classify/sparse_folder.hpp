#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/manifest.hpp"
#include "base/output.hpp"
#include "fragment/vectorizer.hpp"
#include "sparse/feature_rows.hpp"
#include "sparse/sparse_learner.hpp"
#include "sparse/sparse_model.hpp"

namespace treeline::classify {

/// A sparse model to be written, with what it was made from.
struct SparseModelParts {
    const sparse::FeatureRows* rows;
    std::span<const sparse::SparseFit> fits;  ///< one a column of the model
    std::vector<std::string> positives;       ///< class of each
    const sparse::SparseModel* model;
    fragment::FlatFeatures vectors;
    std::vector<std::pair<std::string, std::string>> files =
        {};  ///< name and text of what else belongs to it
};

/// Writes into `folder`: `dict`, a fragment dictionary in which the relevance of a fragment for a class is its weight;
/// `model.linear`, the linear model over it; the other files.
void write_sparse_folder(const base::AtomicFolder& folder, const SparseModelParts& learned,
                         const base::Manifest& manifest);

}  // namespace treeline::classify
