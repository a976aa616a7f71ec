#include "example/decision.hpp"

#include <limits>
#include <vector>

#include "base/data_error.hpp"
#include "support/catch.hpp"

using namespace treeline;
using example::decide;

TEST_CASE("Decisions break ties in a fixed way") {
    CHECK(decide(std::vector<double>{0.1}) == 0);
    CHECK(decide(std::vector<double>{0.0}) == 1);
    CHECK(decide(std::vector<double>{1, 2, 2}) == 1);
    CHECK(decide(std::vector<double>{-3, -1, -2}) == 1);
}

TEST_CASE("What is not a finite number decides nothing") {
    const double infinite = std::numeric_limits<double>::infinity();
    CHECK_THROWS_AS(decide(std::vector<double>{infinite}), base::DataError);
    CHECK_THROWS_AS(decide(std::vector<double>{1, infinite - infinite, 2}), base::DataError);
}
