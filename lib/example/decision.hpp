#pragma once

#include <cstddef>
#include <span>

namespace treeline::example {

/// The class that decision values speak for, as a place among ClassSet::model_names(): a single value is that of the first of two
/// classes, which it is for above 0; of several, one a class, the largest decides, of equals the first. The one rule of every
/// classifier. Throws base::DataError where a value is not finite.
[[nodiscard]] std::size_t decide(std::span<const double> values);

}  // namespace treeline::example
