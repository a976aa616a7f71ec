#include "evaluate/folds.hpp"

#include <algorithm>

#include "support/catch.hpp"

using namespace treeline::evaluate;

TEST_CASE("every example is judged once and learnt from in all other folds") {
    std::vector<std::uint32_t> members(103);
    for (std::uint32_t i = 0; i < members.size(); ++i) {
        members[i] = i % 7 == 0 ? 1 : 0;
    }
    const auto splitting = GENERATE(Splitting::kRandom, Splitting::kStratified, Splitting::kBlocks);
    const auto folds = make_folds(members, 4, splitting, 3);
    REQUIRE(folds.size() == 4);
    std::vector<int> judged(members.size());
    for (const Fold& fold : folds) {
        CHECK(fold.test.size() + fold.training.size() == members.size());
        CHECK(std::ranges::is_sorted(fold.training));
        for (const std::uint32_t position : fold.test) {
            ++judged[position];
            CHECK_FALSE(std::ranges::binary_search(fold.training, position));
        }
    }
    CHECK(std::ranges::all_of(judged, [](int times) { return times == 1; }));
}

TEST_CASE(
    "a class is learnt from in every fold; where there are no others of it, its examples are not judged") {
    const std::vector<std::uint32_t> members{0, 0, 0, 1, 0, 0, 2, 2};
    const auto splitting = GENERATE(Splitting::kRandom, Splitting::kStratified, Splitting::kBlocks);
    std::vector<int> judged(members.size());
    for (const Fold& fold : make_folds(members, 3, splitting, 1)) {
        for (const std::uint32_t number : {0U, 1U, 2U}) {
            CHECK(std::ranges::any_of(fold.training,
                                      [&](auto position) { return members[position] == number; }));
        }
        for (const std::uint32_t position : fold.test) {
            ++judged[position];
        }
    }
    CHECK(judged[3] == 0);
    CHECK(judged[0] == 1);
}
