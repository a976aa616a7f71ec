#include "base/random.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "support/catch.hpp"

using namespace treeline::base;

namespace {

template <typename Draw>
auto draw(std::size_t count, Draw one) {
    std::vector<decltype(one())> values;
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(one());
    }
    return values;
}

}  // namespace

// The expected values come from an independent implementation of the published definitions.
TEST_CASE("a seed gives the same sequence everywhere") {
    Random zero(0);
    CHECK(draw(4, [&] { return zero.next(); }) ==
          std::vector<std::uint64_t>{0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0,
                                     0x6aa594f1262d2d2c});
    Random one(1);
    CHECK(draw(3, [&] { return one.uniform(); }) ==
          std::vector<double>{0.7029218331588505, 0.5204366199388569, 0.5741057000197225});
    Random other(42);
    CHECK(draw(10, [&] { return other.below(10); }) ==
          std::vector<std::uint64_t>{0, 3, 6, 9, 9, 7, 7, 8, 7, 5});
    CHECK(Random(42).fork(0).next() == 0xd0c2760cfe252337);
    CHECK(Random(42).fork(7).next() == 0x6107b9b6060c59d8);
}

TEST_CASE("a shuffle is a permutation that depends on the seed alone") {
    std::vector<int> items(10);
    std::iota(items.begin(), items.end(), 0);
    Random random(42);
    random.shuffle(std::span(items));
    CHECK(items == std::vector<int>{9, 1, 4, 2, 8, 7, 6, 5, 3, 0});
    std::vector<int> nothing;
    random.shuffle(std::span(nothing));
    CHECK(nothing.empty());
}

TEST_CASE("below is uniform, also for bounds that divide nothing") {
    Random random(3);
    std::array<int, 7> counts{};
    for (int i = 0; i < 70'000; ++i) {
        ++counts.at(random.below(7));
    }
    double chi_square = 0;
    for (const int count : counts) {
        chi_square += (count - 10'000.0) * (count - 10'000.0) / 10'000.0;
    }
    CHECK(chi_square < 22.5);  // 0.1% of 6 degrees of freedom
    // With a bound of 3/4 of the range, a biased reduction would hit one third of the values twice as often.
    const std::uint64_t bound = std::uint64_t{3} << 62;
    const auto values = draw(30'000, [&] { return random.below(bound); });
    const auto low =
        std::count_if(values.begin(), values.end(), [&](auto value) { return value < bound / 3; });
    CHECK(std::abs(static_cast<double>(low) - 10'000) < 400);
    CHECK(random.below(1) == 0);
}

TEST_CASE("uniform and normal deviates have their moments") {
    Random random(5);
    const auto moments = [](const std::vector<double>& values) {
        double sum = 0;
        double squares = 0;
        for (const double value : values) {
            sum += value;
            squares += value * value;
        }
        const auto count = static_cast<double>(values.size());
        return std::pair(sum / count, squares / count);
    };
    const auto uniform = draw(100'000, [&] { return random.uniform(); });
    CHECK(*std::min_element(uniform.begin(), uniform.end()) >= 0);
    CHECK(*std::max_element(uniform.begin(), uniform.end()) < 1);
    CHECK(moments(uniform).first == Approx(0.5).margin(0.005));
    CHECK(moments(uniform).second == Approx(1.0 / 3).margin(0.005));
    const auto normal = draw(100'000, [&] { return random.normal(); });
    CHECK(moments(normal).first == Approx(0).margin(0.015));
    CHECK(moments(normal).second == Approx(1).margin(0.03));
}

TEST_CASE("forks depend on the seed and the stream, not on what was drawn") {
    Random random(42);
    const std::uint64_t first = random.fork(7).next();
    random.next();
    CHECK(random.fork(7).next() == first);
    std::set<std::uint64_t> seen = {Random(42).next()};
    for (std::uint64_t stream = 0; stream < 1000; ++stream) {
        seen.insert(random.fork(stream).next());
    }
    seen.insert(random.fork(0).fork(0).next());
    CHECK(seen.size() == 1002);
}

TEST_CASE("streams of forks are uncorrelated") {
    Random a = Random(1).fork(0);
    Random b = Random(1).fork(1);
    double product = 0;
    for (int i = 0; i < 100'000; ++i) {
        product += (a.uniform() - 0.5) * (b.uniform() - 0.5) * 12;
    }
    CHECK(std::abs(product / 100'000) < 0.015);
}
