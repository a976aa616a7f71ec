#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/progress.hpp"
#include "linear/linear_problem.hpp"

namespace treeline::linear {

/// Rows too many to keep, in blocks that are read again and again.
class RowBlocks {
  public:
    virtual ~RowBlocks() = default;
    [[nodiscard]] virtual std::size_t block_count() const = 0;
    /// Rows of a block; labels and features are those of all blocks. Valid until the next call.
    [[nodiscard]] virtual const LinearProblem& block(std::size_t number) = 0;
    [[nodiscard]] virtual std::size_t block_rows(std::size_t number) const = 0;
};

struct BlockDualOptions {
    std::size_t inner_passes = 4;       ///< over a block while it is there
    std::size_t most_iterations = 200;  ///< over all blocks
};

/// What training did.
struct BlockDualReport {
    std::size_t iterations = 0;
    double violation = 0;  ///< of the last iteration: largest minus smallest projected gradient
    bool converged = false;
};

/// Solvers that have the duals this descends on; l2r-l2loss-svc has the same optimum as its dual form.
[[nodiscard]] bool has_block_dual(LinearSolver solver);

/// Memory that training takes besides a block: weights, duals and costs.
[[nodiscard]] std::uint64_t block_bytes(std::uint64_t rows, std::uint64_t features, std::uint64_t classes);

/// Dual coordinate descent (Hsieh et al. 2008) block by block (Yu et al. 2010): per row min 1/2 a'Qa - e'a, 0
/// <= a <= U, with w = sum a_i y_i x_i kept up to date; for several classes one against the rest. Memory:
/// weights, one dual a row and column, one block. The same for the same seed.
[[nodiscard]] LinearModel train_blocks(RowBlocks& blocks, const LinearProblem& head,
                                       const LinearOptions& options, const BlockDualOptions& block_options,
                                       BlockDualReport& report,
                                       base::ProgressObserver& observer = base::silent_observer());

}  // namespace treeline::linear
