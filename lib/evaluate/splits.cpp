#include "evaluate/splits.hpp"

#include <algorithm>
#include <numeric>

#include "base/random.hpp"

namespace treeline::evaluate {

std::size_t suggest_split_count(std::span<const std::uint32_t> members) {
    constexpr std::size_t kMost = 10;
    constexpr std::size_t kExamples = 10'000;
    constexpr std::size_t kMostExamples = 40'000;
    const auto rounded_up = [&](std::size_t size) { return (members.size() + size - 1) / size; };
    const std::size_t by_size = std::clamp<std::size_t>(members.size() / kExamples, 1, kMost);
    std::vector<std::size_t> counts;
    for (const std::uint32_t member : members) {
        counts.resize(std::max<std::size_t>(counts.size(), member + std::size_t{1}));
        ++counts[member];
    }
    std::erase(counts, 0U);
    const std::size_t rarest = counts.empty() ? 1 : std::ranges::min(counts);
    return std::min(by_size, std::max(rarest, rounded_up(kMostExamples)));
}

std::vector<std::vector<std::uint32_t>> split_examples(std::span<const std::uint32_t> members,
                                                       std::size_t count, Splitting splitting,
                                                       std::uint64_t seed) {
    std::vector<std::uint32_t> order(members.size());
    std::iota(order.begin(), order.end(), 0U);
    if (splitting != Splitting::kBlocks) {
        base::Random(seed).shuffle(std::span(order));
    }
    if (splitting == Splitting::kStratified) {
        std::ranges::stable_sort(order, {}, [&](std::uint32_t position) { return members[position]; });
    }
    std::vector<std::vector<std::uint32_t>> parts(count);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t part = splitting == Splitting::kBlocks ? i * count / order.size() : i % count;
        parts[part].push_back(order[i]);
    }
    std::ranges::for_each(parts, [](auto& part) { std::ranges::sort(part); });
    return parts;
}

}  // namespace treeline::evaluate
