#include "svm/cost_sampling.hpp"

#include <algorithm>
#include <utility>

namespace treeline::svm {

namespace {

std::vector<kernel::WeightedExample> whole(std::span<const std::uint32_t> pool,
                                           std::span<const double> costs) {
    const auto cost = [&](std::uint32_t example) { return costs.empty() ? 1.0 : costs[example]; };
    std::vector<kernel::WeightedExample> sample;
    sample.reserve(pool.size());
    double sum = 0;
    for (const std::uint32_t example : pool) {
        sample.push_back({example, cost(example)});
        sum += cost(example);
    }
    std::ranges::for_each(sample, [&](kernel::WeightedExample& item) { item.weight /= sum; });
    return sample;
}

}  // namespace

std::vector<kernel::WeightedExample> draw_sample(std::span<std::uint32_t> pool, std::span<const double> costs,
                                                 std::size_t count, base::Random& random) {
    std::vector<kernel::WeightedExample> sample;
    if (count == 0 || count >= pool.size()) {
        sample = whole(pool, costs);
    } else if (costs.empty()) {
        for (std::size_t i = 0; i < count; ++i) {
            std::swap(pool[i], pool[i + random.below(pool.size() - i)]);
            sample.push_back({pool[i], 1 / static_cast<double>(count)});
        }
    } else {
        double largest = 0;
        std::ranges::for_each(pool,
                              [&](std::uint32_t example) { largest = std::max(largest, costs[example]); });
        while (sample.size() < count) {
            const std::uint32_t example = pool[random.below(pool.size())];
            if (random.uniform() * largest < costs[example]) {
                sample.push_back({example, 1 / static_cast<double>(count)});
            }
        }
    }
    std::ranges::sort(sample, {}, &kernel::WeightedExample::example);
    std::size_t distinct = 0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        if (distinct > 0 && sample[distinct - 1].example == sample[i].example) {
            sample[distinct - 1].weight += sample[i].weight;
        } else {
            sample[distinct++] = sample[i];
        }
    }
    sample.resize(distinct);
    return sample;
}

}  // namespace treeline::svm
