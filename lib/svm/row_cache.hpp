#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "kernel/example_rows.hpp"
#include "svm/training_problem.hpp"

namespace treeline::svm {

/// Kernel rows of examples over a list of targets that grows. A row is computed when it is asked for and kept
/// as long as there is room; where the list has grown since, only the part that is missing is computed. The
/// rows used longest ago leave first. T is float or double. Not thread-safe; parallel inside.
template <typename T>
class RowCache {
  public:
    /// `bytes` bounds the rows kept; the two rows used last are kept in any case.
    RowCache(const TrainingData& data, std::uint64_t bytes);

    /// Appends examples (by number in the set) that are not targets yet.
    void add_targets(std::span<const std::uint32_t> examples);
    [[nodiscard]] std::span<const std::uint32_t> targets() const { return targets_; }
    /// What keeps `rows` rows over `targets` targets.
    [[nodiscard]] static std::uint64_t bytes_of_rows(std::uint64_t rows, std::uint64_t targets) {
        return rows * (targets + targets / 8) * sizeof(T);
    }

    static constexpr std::uint32_t kNone = 0xffffffffU;
    /// Position of an example among the targets, or kNone.
    [[nodiscard]] std::uint32_t position(std::uint32_t example) const { return position_[example]; }

    /// K(example, .) over all targets; stays valid while the row asked for next is used.
    [[nodiscard]] const T* row(std::uint32_t example);
    /// Computes rows in parallel, as many of the first ones as there is room for without the others having to
    /// leave. An example may be named more than once.
    void prefetch(std::span<const std::uint32_t> examples);
    [[nodiscard]] bool is_ready(std::uint32_t example) const;

    [[nodiscard]] std::uint64_t computed_values() const { return computed_values_; }
    [[nodiscard]] double seconds() const { return seconds_; }

  private:
    struct Block {
        std::size_t begin;
        std::size_t end;
        std::unique_ptr<kernel::ExampleRows<T>> rows;
    };
    struct Row {
        std::unique_ptr<T[]> values;
        std::size_t size = 0;      ///< values computed
        std::size_t capacity = 0;  ///< values there is room for
        std::list<std::uint32_t>::iterator used;
    };
    void touch(std::uint32_t example);
    /// Room for all targets; throws others out.
    void reserve(std::uint32_t example);
    /// Computes what is missing; touches nothing but the row.
    void complete(std::uint32_t example, Row& row) const;
    [[nodiscard]] std::size_t room_for_a_row() const;

    TrainingData data_;
    std::uint64_t capacity_;  // in values
    std::uint64_t used_ = 0;
    std::vector<std::uint32_t> targets_;
    std::vector<std::uint32_t> position_;  // by example
    std::vector<Block> blocks_;
    std::vector<std::uint32_t> slot_;  // of each example in rows_, or kNone
    std::vector<Row> rows_;
    std::list<std::uint32_t> order_;  // examples with rows, the one used last in front
    std::uint64_t computed_values_ = 0;
    double seconds_ = 0;
};

extern template class RowCache<float>;
extern template class RowCache<double>;

}  // namespace treeline::svm
