#include "tdp/split.hpp"

#include <cmath>

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"
#include "tdp/split_folder.hpp"

using namespace treeline;

TEST_CASE("dealing keeps the shares at any time, and is random") {
    const std::vector<double> shares{0.7, 0.2, 0.1};
    std::vector<std::string> orders;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        tdp::Dealer dealer({7, 2, 1});
        base::Random random(seed);
        std::vector<double> counts(3);
        std::string order;
        for (int i = 1; i <= 2000; ++i) {
            const std::size_t part = dealer.choose(random);
            dealer.add(part);
            ++counts[part];
            order += static_cast<char>('0' + part);
            for (std::size_t p = 0; p < 3; ++p) {
                CHECK(std::abs(counts[p] - shares[p] * i) < 3);
            }
        }
        CHECK(std::find(orders.begin(), orders.end(), order) == orders.end());
        orders.push_back(order);
    }
}

TEST_CASE("parts are named and weighted") {
    CHECK(tdp::parse_part("train=0.8") == std::pair<std::string, double>("train", 0.8));
    for (const char* bad : {"train", "=1", "a=0", "a=-1", "a=x", "../a=1", ".a=1"}) {
        CHECK_THROWS_AS(tdp::parse_part(bad), base::UsageError);
    }
}

TEST_CASE("split lists know documents and their starts") {
    const test::TemporaryFolder folder;
    const tdp::SplitList list(folder.file("s", "# sections\nwsj/02/*\ttrain\nwsj/*\trest\nwsj/02/7\tdev\n"));
    CHECK(*list.find("wsj/02/1") == "train");
    CHECK(*list.find("wsj/02/7") == "dev");
    CHECK(*list.find("wsj/24/1") == "rest");
    CHECK(list.find("brown/1") == nullptr);
    CHECK_THROWS_AS(tdp::SplitList(folder.file("t", "a\n")), base::InputError);
    CHECK_THROWS_AS(tdp::SplitList(folder.file("u", "a\t../b\n")), base::InputError);
    CHECK_THROWS_AS(tdp::SplitList(folder.file("v", "a\tb\na\tc\n")), base::InputError);
}
