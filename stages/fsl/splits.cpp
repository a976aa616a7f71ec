#include "fsl/splits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/text.hpp"

namespace treeline::fsl {

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

SplitChoice parse_split(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto number = base::parse_unsigned(text.substr(0, slash));
    const auto count =
        slash == std::string_view::npos ? std::nullopt : base::parse_unsigned(text.substr(slash + 1));
    if (!number || !count || *number < 1 || *number > *count) {
        throw base::UsageError("--split " + base::quoted(text) +
                               ": expected I/S with I from 1 to S, such as 3/10");
    }
    return {*number, *count};
}

std::string split_file_name(std::size_t number, std::size_t count, const std::string& class_file) {
    const std::size_t width = std::max<std::size_t>(3, std::to_string(count).size());
    return fmt::format("split-{:0{}}-of-{:0{}}.{}", number, width, count, width,
                       class_file.empty() ? "svm" : class_file);
}

}  // namespace treeline::fsl
