#include "example/distinct_examples.hpp"

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;

TEST_CASE("equal examples are found whatever their labels and costs") {
    const test::TemporaryFolder folder;
    tree::Forest forest;
    example::ExampleSet set;
    const auto path =
        folder.file("x",
                    "+1 |BT| (A b) |ET|\n-1 cost:2 |BT| (A b) |ET|\n+1 |BT| (A b) |BT| (A b) |ET|\n"
                    "+1 |BT| (A b) |ET| 1:1 |EV|\n+1 |BT| (A b) |ET| 1:2 |EV|\n+1 |BT| (A b) |ET| 1:1 "
                    "|EV|\n+1 |BT| (A c) |ET|\n");
    example::read_examples(path, {}, forest, set);
    const std::vector<std::uint32_t> subset{1, 0, 2, 3, 4, 5, 6, 1};
    const auto distinct = example::find_distinct(set, subset);
    CHECK(distinct.first == std::vector<std::uint32_t>{0, 2, 3, 4, 6});
    CHECK(distinct.which == std::vector<std::uint32_t>{0, 0, 1, 2, 3, 2, 4, 0});
}
