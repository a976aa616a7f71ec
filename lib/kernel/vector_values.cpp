#include "kernel/vector_values.hpp"

#include <cmath>

namespace treeline::kernel {

double dot(std::span<const example::Feature> x, std::span<const example::Feature> y) {
    double sum = 0;
    for (auto i = x.begin(), j = y.begin(); i != x.end() && j != y.end();) {
        if (i->index < j->index) {
            ++i;
        } else if (i->index > j->index) {
            ++j;
        } else {
            sum += i++->value * j++->value;
        }
    }
    return sum;
}

double vector_value(double dot, const VectorKernel& kernel) {
    if (kernel.kind == VectorKernelKind::kLinear) {
        return dot;
    }
    // Squaring keeps to exact powers: std::pow of a negative base is fine too, but slower.
    double base = kernel.scale * dot + kernel.constant;
    double result = 1;
    for (std::uint32_t exponent = kernel.degree; exponent > 0; exponent >>= 1U) {
        if ((exponent & 1U) != 0) {
            result *= base;
        }
        base *= base;
    }
    return result;
}

double inverse_norm(std::span<const example::Feature> x, const VectorKernel& kernel) {
    if (!kernel.normalize) {
        return 1;
    }
    const double self = vector_value(dot(x, x), kernel);
    return self > 0 ? 1 / std::sqrt(self) : 0;
}

}  // namespace treeline::kernel
