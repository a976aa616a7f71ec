#include "polynomial/polynomial_kernel.hpp"

#include <cmath>
#include <map>
#include <vector>

#include "support/catch.hpp"

using namespace treeline;

TEST_CASE("coefficients of conjunctions are those of the expanded kernel") {
    // (1 + z_1 + ... + z_n)^d with z_i^2 = z_i, multiplied out: the coefficient of a product of k variables
    // is c_d^k.
    for (unsigned degree = 1; degree <= polynomial::kMaxDegree; ++degree) {
        constexpr unsigned kVariables = 5;
        std::map<unsigned, double> product{{0U, 1.0}};  // set of variables -> coefficient
        for (unsigned factor = 0; factor < degree; ++factor) {
            std::map<unsigned, double> next;
            for (const auto& [set, coefficient] : product) {
                next[set] += coefficient;
                for (unsigned i = 0; i < kVariables; ++i) {
                    next[set | (1U << i)] += coefficient;
                }
            }
            product = next;
        }
        const auto coefficients = polynomial::conjunction_coefficients(degree);
        for (unsigned set = 0; set < (1U << kVariables); ++set) {
            const auto size = static_cast<unsigned>(__builtin_popcount(set));
            const double expected = product.contains(set) ? product[set] : 0.0;
            CHECK((size > polynomial::kMaxDegree ? 0.0 : coefficients[size]) == expected);
        }
    }
    CHECK(polynomial::conjunction_coefficients(2)[1] == 3);
    CHECK(polynomial::conjunction_coefficients(3)[2] == 12);
}

TEST_CASE("kernel values and gains") {
    const polynomial::PolynomialKernel kernel(3, 10);
    CHECK(kernel.value(0) == 1);
    CHECK(kernel.value(10) == 1331);
    CHECK(kernel.gain(1) == 27 - 8);
}

TEST_CASE("conjunctions are counted") {
    for (std::uint64_t n = 0; n < 12; ++n) {
        const std::vector<std::uint64_t> choose{1, n, n * (n - 1) / 2, n < 3 ? 0 : n * (n - 1) * (n - 2) / 6};
        std::uint64_t expected = 0;
        for (unsigned order = 0; order < 4; ++order) {
            expected += choose[order];
            CHECK(polynomial::conjunction_count(order, n) == expected);
        }
    }
    CHECK(polynomial::conjunction_count<2>(0xffffffff) == 9223372034707292161U);
}
