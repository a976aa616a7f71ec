#include "base/format_names.hpp"

#include "support/catch.hpp"

using namespace treeline::base;

TEST_CASE("a mark has the words and the version of its format") {
    constexpr formats::Format kFormat{"treeline things", 3};
    CHECK(mark_of(kFormat) == "treeline things 3");
    CHECK(version_of(kFormat, "treeline things 3") == 3);
    CHECK(version_of(kFormat, "treeline things 12") == 12);
    for (const char* other : {"treeline things", "treeline things ", "treeline things x",
                              "treeline thingses 3", "", "treeline things 99999999999999999999"}) {
        CHECK_FALSE(version_of(kFormat, other));
    }
    CHECK_THAT(describe_other(kFormat, "treeline things 2"),
               Catch::Matchers::ContainsSubstring("is of version 2") &&
                   Catch::Matchers::ContainsSubstring("reads version 3"));
    CHECK(describe_other(kFormat, "PK") == "found 'PK'; expected 'treeline things 3'");
}
