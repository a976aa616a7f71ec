#include "evaluate/splits.hpp"

#include <algorithm>

#include "support/catch.hpp"

using namespace treeline;
using namespace treeline::evaluate;

TEST_CASE("every example is in one part, parts are as large as they can be equal") {
    const auto splitting = GENERATE(Splitting::kRandom, Splitting::kStratified, Splitting::kBlocks);
    std::vector<std::uint32_t> members;
    for (std::uint32_t i = 0; i < 103; ++i) {
        members.push_back(i % 7 == 0 ? 1 : 0);
    }
    const auto parts = split_examples(members, 10, splitting, 5);
    CHECK(parts.size() == 10);
    std::vector<std::uint32_t> all;
    for (const auto& part : parts) {
        CHECK(part.size() >= 10);
        CHECK(part.size() <= 11);
        CHECK(std::ranges::is_sorted(part));
        all.insert(all.end(), part.begin(), part.end());
        if (splitting == Splitting::kStratified) {
            const auto rare = std::ranges::count_if(part, [&](std::uint32_t i) { return members[i] == 1; });
            CHECK((rare == 1 || rare == 2));
        }
    }
    std::ranges::sort(all);
    for (std::uint32_t i = 0; i < 103; ++i) {
        CHECK(all[i] == i);
    }
    CHECK(split_examples(members, 10, splitting, 5) == parts);
    if (splitting == Splitting::kBlocks) {
        CHECK(parts[0].back() + 1 == parts[1].front());
    } else {
        CHECK(split_examples(members, 10, splitting, 6) != parts);
    }
}

TEST_CASE("the number of splits follows the size of the data and the rarest class") {
    const auto suggest = [](std::size_t common, std::size_t rare) {
        std::vector<std::uint32_t> members(common, 0);
        members.insert(members.end(), rare, 3);
        return suggest_split_count(members);
    };
    CHECK(suggest_split_count({}) == 1);
    CHECK(suggest(20, 10) == 1);
    CHECK(suggest(10'000, 9'999) == 1);
    CHECK(suggest(10'000, 10'000) == 2);
    CHECK(suggest(500'000, 400'000) == 10);
    CHECK(suggest(38'000, 4) == 3);
    CHECK(suggest(38'000, 2) == 2);
    CHECK(suggest(38'000, 1) == 1);
    CHECK(suggest(80'000, 1) == 3);
    CHECK(suggest(892'000, 1) == 10);
}
