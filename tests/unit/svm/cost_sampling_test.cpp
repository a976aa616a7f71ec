#include "svm/cost_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "support/catch.hpp"

using treeline::base::Random;
using treeline::kernel::WeightedExample;
using treeline::svm::draw_sample;

namespace {

std::vector<std::uint32_t> numbers(std::size_t count) {
    std::vector<std::uint32_t> pool(count);
    std::iota(pool.begin(), pool.end(), 0U);
    return pool;
}

double total(const std::vector<WeightedExample>& sample) {
    double sum = 0;
    std::ranges::for_each(sample, [&](const auto& item) { sum += item.weight; });
    return sum;
}

}  // namespace

TEST_CASE("equal costs: a sample without replacement in which all are as frequent") {
    auto pool = numbers(50);
    Random random(3);
    std::vector<double> seen(50);
    for (int round = 0; round < 4000; ++round) {
        const auto sample = draw_sample(pool, {}, 10, random);
        REQUIRE(sample.size() == 10);
        CHECK(std::ranges::is_sorted(sample, std::less<>(), &WeightedExample::example));
        for (const auto& item : sample) {
            CHECK(item.weight == Approx(0.1));
            seen[item.example] += 1;
        }
    }
    // 800 expected, standard deviation sqrt(4000 * 0.2 * 0.8) = 25.
    CHECK(std::ranges::all_of(seen, [](double count) { return std::abs(count - 800) < 5 * 25.3; }));
}

TEST_CASE("rejection sampling: frequencies follow costs") {
    auto pool = numbers(40);
    std::vector<double> costs(40, 1);
    std::fill(costs.begin(), costs.begin() + 4, 10);
    costs[39] = 0.5;
    const double sum = std::accumulate(costs.begin(), costs.end(), 0.0);
    Random random(5);
    std::vector<double> share(40);
    const int rounds = 3000;
    for (int round = 0; round < rounds; ++round) {
        const auto sample = draw_sample(pool, costs, 20, random);
        CHECK(total(sample) == Approx(1));
        for (const auto& item : sample) {
            share[item.example] += item.weight / rounds;
        }
    }
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const double expected = costs[i] / sum;
        const double deviation = std::sqrt(expected * (1 - expected) / (20.0 * rounds));
        CHECK(std::abs(share[i] - expected) < 5 * deviation);
    }
}

TEST_CASE("a sample as large as the pool is the pool, by shares of the cost") {
    auto pool = numbers(4);
    Random random(1);
    const std::vector<double> costs{1, 2, 3, 4};
    for (const std::size_t count : {0, 4, 9}) {
        const auto weighted = draw_sample(pool, costs, count, random);
        REQUIRE(weighted.size() == 4);
        const auto uniform = draw_sample(pool, {}, count, random);
        for (std::size_t i = 0; i < 4; ++i) {
            CHECK(weighted[i].weight == Approx(costs[i] / 10));
            CHECK(uniform[i] == WeightedExample{static_cast<std::uint32_t>(i), 0.25});
        }
    }
}
