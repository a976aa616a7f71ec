#include "example/example_statistics.hpp"

#include <algorithm>
#include <cstring>

#include "base/digest.hpp"

namespace treeline::example {

namespace {

constexpr std::size_t kKeptContradictions = 5;

void append_number(std::string& out, std::uint64_t number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    out.append(bytes, sizeof bytes);
}

/// Levels of a tree; `heights` is work space.
std::uint64_t depth_of(const tree::TreeText& tree, std::vector<std::uint64_t>& heights) {
    heights.clear();
    for (const auto& node : tree.nodes) {
        std::uint64_t height = 0;
        for (std::uint32_t i = 0; i < node.children; ++i) {
            height = std::max(height, heights.back());
            heights.pop_back();
        }
        heights.push_back(height + 1);
    }
    return heights.empty() ? 0 : heights.back();
}

}  // namespace

std::uint64_t Distribution::median() const {
    std::uint64_t before = 0;
    for (const auto& [value, count] : counts_) {
        before += count;
        if (2 * before >= total_) {
            return value;
        }
    }
    return 0;
}

std::vector<Distribution::Bin> Distribution::bins(std::size_t bins) const {
    std::vector<Bin> result;
    const std::uint64_t width = (most() - least()) / bins + 1;
    for (const auto& [value, count] : counts_) {
        const std::uint64_t number = (value - least()) / width;
        while (result.size() <= number) {
            const std::uint64_t first = least() + result.size() * width;
            result.push_back({first, std::min(first + width - 1, most()), 0});
        }
        result[number].count += count;
    }
    return result;
}

void ExampleStatistics::add(const example::Example& example, std::uint64_t line) {
    ++examples_;
    auto& [label, count] = *classes_.try_emplace(std::string(example.label), 0).first;
    ++count;
    trees_.add(example.trees().size());
    vectors_.add(example.vectors().size());
    // Lengths before texts: no two examples have the same content.
    content_.clear();
    for (const auto& tree : example.trees()) {
        nodes_.add(tree.nodes.size());
        depths_.add(depth_of(tree, heights_));
        append_number(content_, tree.nodes.size());
        for (const auto& node : tree.nodes) {
            append_number(content_, std::uint64_t{node.children} << 32 | node.label.size());
            content_ += node.label;
        }
    }
    for (const auto& vector : example.vectors()) {
        append_number(content_, ~std::uint64_t{vector.size()});
        for (const auto& [index, value] : vector) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, &value, sizeof bits);
            append_number(content_, index);
            append_number(content_, bits);
        }
    }
    const Key key{{base::hash64(content_, 0), base::hash64(content_, 1)}};
    const auto [entry, added] = seen_.try_emplace(key, First{line, &label, false});
    if (added) {
        return;
    }
    if (*entry->second.label == label) {
        ++duplicates_;
        return;
    }
    ++contradictions_;
    contradictory_ += entry->second.contradicted ? 0 : 1;
    entry->second.contradicted = true;
    if (first_contradictions_.size() < kKeptContradictions) {
        first_contradictions_.push_back({entry->second.line, *entry->second.label, line, label});
    }
}

}  // namespace treeline::example
