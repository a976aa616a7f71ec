#include "polynomial/polynomial_kernel.hpp"

#include <cassert>

namespace treeline::polynomial {

PolynomialKernel::PolynomialKernel(unsigned degree, std::size_t longest) : degree_(degree) {
    assert(degree >= 1 && degree <= kMaxDegree);
    for (std::size_t shared = 0; shared <= longest; ++shared) {
        double value = 1;
        for (unsigned i = 0; i < degree; ++i) {
            value *= static_cast<double>(shared + 1);
        }
        values_.push_back(value);
        if (shared > 0) {
            gains_.push_back(value - values_[shared - 1]);
        }
    }
}

std::array<double, kMaxDegree + 1> conjunction_coefficients(unsigned degree) {
    // sum_k c_d^k C(q, k) = (q + 1)^d for every q, so c_d^k is the k-th finite difference of the kernel at 0.
    std::array<double, kMaxDegree + 1> differences{};
    const PolynomialKernel kernel(degree, kMaxDegree);
    for (std::size_t q = 0; q <= kMaxDegree; ++q) {
        differences[q] = kernel.value(q);
    }
    for (std::size_t k = 1; k <= kMaxDegree; ++k) {
        for (std::size_t q = kMaxDegree; q >= k; --q) {
            differences[q] -= differences[q - 1];
        }
    }
    return differences;
}

}  // namespace treeline::polynomial
