#include "evaluate/splits.hpp"

#include <algorithm>
#include <numeric>

#include "base/random.hpp"

namespace treeline::evaluate {

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
