#pragma once

#include "kernel/description.hpp"
#include "tree/tree_text.hpp"

namespace treeline::kernel {

/// The kernel of two trees straight from its definition (QTK): every pair of nodes, labels compared as text,
/// nothing shared or skipped. Not normalized. O(|x| |y|) pairs; for tests and for comparison.
[[nodiscard]] double quadratic_kernel(const tree::TreeText& x, const tree::TreeText& y,
                                      const TreeKernel& kernel);

}  // namespace treeline::kernel
