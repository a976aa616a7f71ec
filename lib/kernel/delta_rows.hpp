#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/description.hpp"
#include "kernel/target_index.hpp"
#include "tree/forest.hpp"

namespace treeline::kernel {

/// D(a, b) of every node a of one tree with all nodes b of a TargetIndex that can match it: those of its
/// production, or of its label for ptk and uptk. Rows of children are made before those of parents, so a row is one pass over
/// the run per child. T is float or double. Work space; not thread-safe, one per thread.
template <typename T>
class DeltaRows {
  public:
    /// The index must have leaves if and only if kernel.uses_leaves().
    void compute(const tree::Forest& forest, const TargetIndex& index, const TreeKernel& kernel,
                 const tree::TreeNodes& x);

    /// D(a, .) for the a at a position of x.nodes: values[i] belongs to rank run.begin + i; behind the last one stands a 0.
    struct Row {
        TargetIndex::Run run;
        const T* values = nullptr;
    };
    [[nodiscard]] const Row& row(std::size_t position) const { return rows_[position]; }

  private:
    void fill_by_production(const tree::Forest& forest, const TargetIndex& index, const TreeKernel& kernel,
                            const tree::TreeNodes& x, std::size_t a, T* out) const;
    void fill_by_label(const tree::Forest& forest, const TargetIndex& index, const TreeKernel& kernel,
                       const tree::TreeNodes& x, std::size_t a, T* out);

    /// Children i of a and j of b with the same label; `delta` leads from the rank of b's child to D(a_i, b_j).
    struct Match {
        std::uint32_t i;
        std::uint32_t j;
        const Row* row;
        const std::uint32_t* ranks;
    };
    std::vector<Row> rows_;
    std::vector<T> values_;
    std::vector<std::uint32_t> candidates_;  // first ranks of productions
    std::vector<Match> matches_;
    std::vector<T> ended_;  // G of each match, see subsequences.hpp
    std::vector<double> decayed_;
    std::vector<T> powers_;  // of lambda
};

extern template class DeltaRows<float>;
extern template class DeltaRows<double>;

}  // namespace treeline::kernel
