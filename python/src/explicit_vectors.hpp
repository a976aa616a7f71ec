#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "classify/tree_space.hpp"
#include "tree_texts.hpp"
#include "work.hpp"

namespace treeline::python {

/// Rows of explicit vectors, one after the other.
struct VectorRows {
    std::vector<std::int64_t> ends{0};  ///< row i is entries ends[i] to ends[i + 1] - 1
    std::vector<std::uint32_t> indices;
    std::vector<float> values;
};

/// The vectors that tfx makes of the trees. Parallel; the same for any number of threads.
[[nodiscard]] VectorRows vectorize(const classify::TreeSpace& space, const TreeTexts& texts,
                                   Listener& listener);

}  // namespace treeline::python
