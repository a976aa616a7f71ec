#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "example/class_set.hpp"
#include "linear/block_dual.hpp"
#include "linear/linear_problem.hpp"
#include "store/vectors.hpp"

namespace treeline::store {

/// Vectors on disk, as learning sees them.
class LinearRows {
  public:
    /// Reads every batch once: classes, features, numbers of rows and entries. Throws InputError.
    explicit LinearRows(const std::string& path);

    [[nodiscard]] const VectorsInfo& info() const { return files_.front().info(); }
    [[nodiscard]] const example::ClassSet& classes() const { return classes_; }
    /// The names of the classes and the number of features; no rows.
    [[nodiscard]] const linear::LinearProblem& head() const { return head_; }
    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    [[nodiscard]] std::uint64_t entries() const { return entries_; }
    /// Whether examples have weights of their own.
    [[nodiscard]] bool has_weights() const { return files_.front().has_weights(); }

    /// All rows by ascending id, in the memory of the files, which is valid as long as this.
    [[nodiscard]] linear::LinearProblem load();

    /// The batches of the files as blocks. Valid as long as this.
    [[nodiscard]] std::vector<std::pair<const VectorsFile*, std::size_t>> batches() const;
    /// LinearRows of each of them.
    [[nodiscard]] const std::vector<std::size_t>& batch_rows() const { return batch_rows_; }

  private:
    std::vector<VectorsFile> files_;
    std::vector<VectorsBatch> kept_;
    std::vector<std::size_t> batch_rows_;
    example::ClassSet classes_;
    linear::LinearProblem head_;
    std::uint64_t rows_ = 0;
    std::uint64_t entries_ = 0;
};

/// Batches of vectors on disk, one in memory at a time. The rows must outlive it.
class BatchBlocks final : public linear::RowBlocks {
  public:
    explicit BatchBlocks(const LinearRows& rows);
    [[nodiscard]] std::size_t block_count() const override { return batches_.size(); }
    [[nodiscard]] const linear::LinearProblem& block(std::size_t number) override;
    [[nodiscard]] std::size_t block_rows(std::size_t number) const override { return sizes_[number]; }

  private:
    std::vector<std::pair<const VectorsFile*, std::size_t>> batches_;
    std::vector<std::size_t> sizes_;
    VectorsBatch batch_;
    linear::LinearProblem problem_;
    const example::ClassSet* classes_;
};

}  // namespace treeline::store
