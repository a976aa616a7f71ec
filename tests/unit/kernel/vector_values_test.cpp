#include "kernel/vector_values.hpp"

#include <cmath>

#include "base/random.hpp"
#include "support/catch.hpp"

using namespace treeline;
using namespace treeline::kernel;
using example::SparseVector;

TEST_CASE("The scalar product of sparse vectors") {
    const SparseVector x{{1, 2.0}, {5, -1.0}, {7, 0.5}};
    CHECK(dot(x, x) == 5.25);
    CHECK(dot(x, SparseVector{}) == 0);
    CHECK(dot(x, SparseVector{{2, 9.0}, {5, 3.0}, {9, 1.0}}) == -3);
    CHECK(dot(x, SparseVector{{7, 4.0}}) == 2);
}

TEST_CASE("Polynomials by squaring are powers") {
    base::Random random(41);
    for (std::uint32_t degree = 1; degree <= 20; ++degree) {
        const VectorKernel kernel{.kind = VectorKernelKind::kPolynomial,
                                  .degree = degree,
                                  .scale = 0.5,
                                  .constant = random.normal()};
        const double product = 2 * random.normal();
        CHECK(vector_value(product, kernel) ==
              Approx(std::pow(0.5 * product + kernel.constant, static_cast<double>(degree))).epsilon(1e-12));
    }
}

TEST_CASE("Inverse norms") {
    const SparseVector x{{1, 3.0}, {2, 4.0}};
    const VectorKernel polynomial{.kind = VectorKernelKind::kPolynomial, .degree = 2};
    CHECK(inverse_norm(x, VectorKernel{}) == 0.2);
    CHECK(inverse_norm(x, VectorKernel{.normalize = false}) == 1);
    CHECK(inverse_norm(x, polynomial) == Approx(1.0 / 26));
    CHECK(inverse_norm(SparseVector{}, VectorKernel{}) == 0);
    CHECK(inverse_norm(SparseVector{}, polynomial) == 1);
}
