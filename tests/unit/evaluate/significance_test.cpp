#include "evaluate/significance.hpp"

#include "support/catch.hpp"

using namespace treeline::evaluate;

TEST_CASE("McNemar's test agrees with sums by hand") {
    // 2 * (1 + 10 + 45) / 1024
    CHECK(mcnemar(8, 2).p == Approx(2.0 * 56 / 1024));
    CHECK(mcnemar(8, 2).statistic == Approx(25.0 / 10));
    CHECK(mcnemar(2, 8).p == mcnemar(8, 2).p);
    CHECK(mcnemar(5, 0).p == Approx(2.0 / 32));
    CHECK(mcnemar(1, 0).p == 1);
    CHECK(mcnemar(7, 7).p == 1);
    CHECK(mcnemar(7, 7).statistic == 0);
    CHECK(mcnemar(0, 0).p == 1);
}

TEST_CASE("McNemar's test of many examples is that of the normal distribution") {
    // chi-squared 59^2 / 1000 = 3.481: p = erfc(sqrt(3.481 / 2)) = 0.0621
    const McNemar test = mcnemar(530, 470);
    CHECK(test.statistic == Approx(3.481));
    CHECK(test.p == Approx(0.0621).margin(0.0005));
    CHECK(mcnemar(600'000, 400'000).p == Approx(0).margin(1e-300));
    CHECK(mcnemar(500'100, 499'900).p == Approx(0.842).margin(0.001));
}
