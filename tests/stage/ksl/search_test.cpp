#include "ksl/search.hpp"

#include "base/error.hpp"
#include "support/catch.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a search that cannot be made is refused before anything is read") {
    ksl::Options options;
    options.input = "absent.dat";
    options.output = "best.toml";
    ksl::SearchOptions search;
    CHECK_NOTHROW(ksl::validate(options, search));
    SECTION("one fold") {
        search.folds = 1;
        CHECK_THROWS_WITH(ksl::validate(options, search), ContainsSubstring("--folds"));
        search.dev = "dev.dat";
        CHECK_NOTHROW(ksl::validate(options, search));
    }
    SECTION("a cost of 0") {
        search.grid.costs = {1, 0};
        CHECK_THROWS_AS(ksl::validate(options, search), base::UsageError);
    }
    SECTION("a factor below 0") {
        search.grid.cost_factors = {-1};
        CHECK_THROWS_AS(ksl::validate(options, search), base::UsageError);
    }
    SECTION("a decay out of range") {
        search.grid.lambdas = {0.4, 1.5};
        CHECK_THROWS_AS(ksl::validate(options, search), base::UsageError);
        search.grid.kernels = {"linear"};
        CHECK_NOTHROW(ksl::validate(options, search));
    }
    SECTION("an unknown kernel") {
        search.grid.kernels = {"sst", "sstt"};
        CHECK_THROWS_AS(ksl::validate(options, search), base::UsageError);
    }
    SECTION("the table and the choice in one place") {
        options.output = "-";
        CHECK_THROWS_WITH(ksl::validate(options, search), ContainsSubstring("stdout"));
    }
}
