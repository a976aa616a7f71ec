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

    /// A batch of one of the files, which is valid as long as this.
    struct Batch {
        const VectorsFile* file;
        std::size_t number;
        std::uint64_t first_id = 0;
        std::uint64_t last_id = 0;
        std::size_t rows = 0;
    };
    [[nodiscard]] const std::vector<Batch>& batches() const { return batches_; }

    /// The rows with ids from a multiple of kBlockIds up to the next, where there are any.
    struct Block {
        std::uint64_t first_id;
        std::size_t rows;
    };
    static constexpr std::uint64_t kBlockIds = kBatchRows;
    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }

  private:
    std::vector<VectorsFile> files_;
    std::vector<VectorsBatch> kept_;
    std::vector<Batch> batches_;
    std::vector<Block> blocks_;
    example::ClassSet classes_;
    linear::LinearProblem head_;
    std::uint64_t rows_ = 0;
    std::uint64_t entries_ = 0;
};

/// The blocks of vectors on disk, one in memory at a time: the same however the vectors are cut into parts. The rows must
/// outlive it.
class IdBlocks final : public linear::RowBlocks {
  public:
    explicit IdBlocks(const LinearRows& rows) : rows_(rows), problem_(rows.head()) {}
    [[nodiscard]] std::size_t block_count() const override { return rows_.blocks().size(); }
    [[nodiscard]] const linear::LinearProblem& block(std::size_t number) override;
    [[nodiscard]] std::size_t block_rows(std::size_t number) const override {
        return rows_.blocks()[number].rows;
    }

  private:
    const LinearRows& rows_;
    std::vector<VectorsBatch> held_;
    linear::LinearProblem problem_;
};

}  // namespace treeline::store
