#pragma once

#include <span>

#include "example/example.hpp"
#include "kernel/description.hpp"

namespace treeline::kernel {

/// x.y of two sparse vectors, by merging.
[[nodiscard]] double dot(std::span<const example::Feature> x, std::span<const example::Feature> y);

/// The kernel's value for a scalar product: itself, or (s*dot + c)^d. Not normalized.
[[nodiscard]] double vector_value(double dot, const VectorKernel& kernel);

/// 1/sqrt(K(x,x)), 0 where K(x,x) is not above 0; 1 if the kernel is not normalized.
[[nodiscard]] double inverse_norm(std::span<const example::Feature> x, const VectorKernel& kernel);

}  // namespace treeline::kernel
