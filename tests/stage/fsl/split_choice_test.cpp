#include "fsl/split_choice.hpp"

#include "base/error.hpp"
#include "support/catch.hpp"

using namespace treeline;
using namespace treeline::fsl;

TEST_CASE("the choice of a split is I/S") {
    CHECK(parse_split("3/10").number == 3);
    CHECK(parse_split("3/10").count == 10);
    const std::string bad = GENERATE("", "3", "0/3", "4/3", "a/3", "1/", "-1/3", "1/2/3");
    CHECK_THROWS_AS(parse_split(bad), base::UsageError);
}
