#include "fsl/splits.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "support/catch.hpp"

using namespace treeline;
using namespace treeline::fsl;

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

TEST_CASE("the choice of a split is I/S") {
    CHECK(parse_split("3/10").number == 3);
    CHECK(parse_split("3/10").count == 10);
    const std::string bad = GENERATE("", "3", "0/3", "4/3", "a/3", "1/", "-1/3", "1/2/3");
    CHECK_THROWS_AS(parse_split(bad), base::UsageError);
}

TEST_CASE("names of models sort by split") {
    CHECK(split_file_name(3, 10, "") == "split-003-of-010.svm");
    CHECK(split_file_name(3, 10, "class-00000-A.svm") == "split-003-of-010.class-00000-A.svm");
    CHECK(split_file_name(3, 12345, "") == "split-00003-of-12345.svm");
}
