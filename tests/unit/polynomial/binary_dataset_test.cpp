#include "polynomial/binary_dataset.hpp"

#include "support/catch.hpp"

using namespace treeline;

TEST_CASE("features are ranked by frequency, ties by index") {
    polynomial::BinaryDatasetBuilder builder;
    builder.add("a", std::vector<std::uint64_t>{5, 9, 4294967296});
    builder.add("b", std::vector<std::uint64_t>{9, 4294967296});
    builder.add("a", std::vector<std::uint64_t>{});
    builder.add("c", std::vector<std::uint64_t>{2, 4294967296});
    const auto data = builder.finish();
    CHECK(data.labels == std::vector<std::string>{"a", "b", "c"});
    CHECK(data.label_of == std::vector<std::uint32_t>{0, 1, 0, 2});
    REQUIRE(data.ranking.size() == 4);
    CHECK(data.ranking.index(0) == 4294967296);
    CHECK(data.ranking.index(1) == 9);
    CHECK(data.ranking.index(2) == 2);
    CHECK(data.ranking.index(3) == 5);
    CHECK(data.ranking.find_rank(9) == 1);
    CHECK(data.ranking.find_rank(3) == polynomial::FeatureNumbers::kNone);
    CHECK(data.ranking.find_rank(std::uint64_t{1} << 60) == polynomial::FeatureNumbers::kNone);
    CHECK(std::vector(data.row(0).begin(), data.row(0).end()) == std::vector<std::uint32_t>{0, 1, 3});
    CHECK(data.row(2).empty());
    CHECK(data.longest_row() == 3);
    CHECK(data.frequencies() == std::vector<std::uint32_t>{3, 2, 1, 1});
    std::vector<std::uint32_t> ranks;
    polynomial::rank_features(std::vector<std::uint64_t>{5, 6, 9}, data.ranking, ranks);
    CHECK(ranks == std::vector<std::uint32_t>{1, 3});
}

TEST_CASE("an empty builder gives an empty dataset") {
    const auto data = polynomial::BinaryDatasetBuilder().finish();
    CHECK(data.size() == 0);
    CHECK(data.ranking.size() == 0);
    CHECK(data.longest_row() == 0);
}
