#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fragment/fragment.hpp"
#include "fragment/score.hpp"
#include "linear/sparse_problem.hpp"
#include "sparse/feature_rows.hpp"
#include "tree/id_hash_table.hpp"

namespace treeline::sparse {

/// A number for each feature that a learner has met: a fragment or a flat feature. The same for all questions about some rows.
using ColumnId = std::uint32_t;

/// Features with their columns, made where they are asked for and given up where memory is short. Not thread-safe.
class ColumnPool {
  public:
    /// `rows` must outlive it.
    explicit ColumnPool(const FeatureRows& rows) : rows_(&rows) {}

    /// The fragment's number; its labels are those of the forest.
    ColumnId intern(fragment::FragmentView fragment);
    /// The number of a flat column of the rows.
    ColumnId intern_flat(std::uint32_t flat);

    [[nodiscard]] std::size_t size() const { return features_.size(); }
    /// Nothing for a flat feature,
    [[nodiscard]] std::optional<fragment::FragmentView> fragment(ColumnId id) const;
    /// which then has this number among the flat columns of the rows, and that in the input, from 1.
    [[nodiscard]] std::uint32_t flat_column(ColumnId id) const { return features_[id].number; }
    [[nodiscard]] std::uint32_t flat_feature(ColumnId id) const;

    /// Makes the columns that are not there; parallel.
    void make(std::span<const ColumnId> ids);
    /// Valid until it is given up.
    [[nodiscard]] const linear::SparseColumn* column(ColumnId id) const;
    /// Gives up the column of a fragment.
    void drop(ColumnId id);
    /// Of the columns that are there.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    struct Feature {
        std::uint32_t number;  // of the fragment, or of the flat column
        bool flat = false;
        bool made = false;
    };

    const FeatureRows* rows_;
    std::vector<Feature> features_;
    std::vector<linear::SparseColumn> columns_;  // of fragments
    fragment::FragmentList fragments_;
    std::vector<ColumnId> of_fragment_;
    std::vector<ColumnId> of_flat_;
    tree::IdHashTable table_;
    std::size_t bytes_ = 0;
};

}  // namespace treeline::sparse
