#pragma once

#include <span>
#include <string>

#include "store/vectors.hpp"

/// The digest that every batch of vectors carries; for lib/store itself.
namespace treeline::store {

/// Of what the file says about its vectors and of all columns: ids, labels (`numbers`, or else the codes and the names up
/// to the largest code), offsets, indices, values, weights.
[[nodiscard]] std::string digest_of(const VectorsInfo& info, const VectorsBatch& batch,
                                    std::span<const double> numbers);

}  // namespace treeline::store
