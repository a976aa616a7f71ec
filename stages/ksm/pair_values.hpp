#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "example/example_set.hpp"
#include "kernel/description.hpp"
#include "kernel/pairwise.hpp"
#include "ksm/ksm.hpp"
#include "tree/forest.hpp"
#include "tree/tree_text.hpp"

namespace treeline::ksm {

/// Rows of kernel values pair by pair, by the fast tree kernel or straight from the definition, to compare their
/// times: trees are prepared once, as in Moschitti 2006. Values are those of kernel::ExampleRows, but for rounding.
class PairValues {
  public:
    /// `evaluator`: kFast or kQuadratic. Throws base::UsageError unless the kernel is one tree kernel with weight 1
    /// and every example has one tree.
    PairValues(Evaluator evaluator, const kernel::KernelDescription& kernel, const tree::Forest& forest,
               const example::ExampleSet& rows, const example::ExampleSet& columns);

    /// Values of a row with all columns. Thread-safe.
    void row(std::size_t row, std::span<double> values) const;

  private:
    struct Side {
        std::vector<kernel::PairwiseTree> fast;  ///< of kFast
        std::vector<tree::TreeText> texts;       ///< of kQuadratic
        std::vector<double> inverse_norms;
    };
    [[nodiscard]] Side prepare(const example::ExampleSet& examples) const;

    bool fast_;
    kernel::TreeKernel kernel_;
    const tree::Forest* forest_;
    Side rows_;
    Side columns_;
};

}  // namespace treeline::ksm
