#include "polynomial/binary_dataset.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace treeline::polynomial {

std::size_t BinaryDataset::longest_row() const {
    std::size_t longest = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        longest = std::max(longest, row(i).size());
    }
    return longest;
}

std::vector<std::uint32_t> BinaryDataset::frequencies() const {
    std::vector<std::uint32_t> counts(ranking.size(), 0);
    for (const std::uint32_t rank : features) {
        ++counts[rank];
    }
    return counts;
}

void BinaryDatasetBuilder::add(std::string_view label, std::span<const std::uint64_t> features) {
    if (data_.label_of.size() >= std::numeric_limits<std::uint32_t>::max() - 1) {
        throw base::Error("more than 4294967294 examples; train on fewer of them");
    }
    std::uint32_t label_number = 0;
    // Neighbouring examples often have the same label: the table is asked only where it changes.
    if (!data_.label_of.empty() && data_.labels[data_.label_of.back()] == label) {
        label_number = data_.label_of.back();
    } else {
        const auto [place, added] =
            label_numbers_.try_emplace(std::string(label), static_cast<std::uint32_t>(data_.labels.size()));
        label_number = place->second;
        if (added) {
            data_.labels.emplace_back(label);
        }
    }
    for (const std::uint64_t index : features) {
        const std::uint32_t number = numbers_.number(index);
        if (number == index_of_number_.size()) {
            index_of_number_.push_back(index);
        }
        data_.features.push_back(number);
    }
    data_.label_of.push_back(label_number);
    data_.offsets.push_back(data_.features.size());
}

BinaryDataset BinaryDatasetBuilder::finish() {
    std::vector<std::uint32_t> counts(index_of_number_.size(), 0);
    for (const std::uint32_t number : data_.features) {
        ++counts[number];
    }
    std::vector<std::uint32_t> order(counts.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return counts[a] != counts[b] ? counts[a] > counts[b] : index_of_number_[a] < index_of_number_[b];
    });
    std::vector<std::uint64_t> indices(order.size());
    std::vector<std::uint32_t>& rank_of_number = counts;
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
        indices[rank] = index_of_number_[order[rank]];
        rank_of_number[order[rank]] = rank;
    }
    for (std::uint32_t& feature : data_.features) {
        feature = rank_of_number[feature];
    }
    for (std::size_t i = 0; i < data_.size(); ++i) {
        std::sort(data_.features.begin() + static_cast<std::ptrdiff_t>(data_.offsets[i]),
                  data_.features.begin() + static_cast<std::ptrdiff_t>(data_.offsets[i + 1]));
    }
    data_.features.shrink_to_fit();
    data_.offsets.shrink_to_fit();
    data_.label_of.shrink_to_fit();
    data_.ranking = FeatureRanking(std::move(indices));
    numbers_ = {};
    index_of_number_.clear();
    label_numbers_.clear();
    return std::exchange(data_, {});
}

BinaryDataset read_binary_dataset(example::BinaryExampleSource& source, base::ProgressObserver& observer) {
    constexpr std::size_t kReportEvery = 1 << 16;
    observer.start("reading", 0);
    BinaryDatasetBuilder builder;
    example::BinaryExample example;
    for (std::size_t count = 1; source.next(example); ++count) {
        builder.add(example.label, example.features);
        if (count % kReportEvery == 0) {
            observer.update(count);
        }
    }
    BinaryDataset data = builder.finish();
    data.bad = source.bad_records();
    data.dictionary = source.dictionary();
    observer.finish();
    return data;
}

BinaryDataset read_binary_dataset(const std::string& path, const example::BinaryReadOptions& options) {
    example::BinaryExampleReader reader(path, options);
    return read_binary_dataset(reader);
}

void rank_features(std::span<const std::uint64_t> features, const FeatureRanking& ranking,
                   std::vector<std::uint32_t>& ranks) {
    ranks.clear();
    for (const std::uint64_t index : features) {
        if (const std::uint32_t rank = ranking.find_rank(index); rank != FeatureNumbers::kNone) {
            ranks.push_back(rank);
        }
    }
    std::sort(ranks.begin(), ranks.end());
}

}  // namespace treeline::polynomial
