#include "polynomial/inverted_margins.hpp"

#include <algorithm>

namespace treeline::polynomial {

InvertedMargins::InvertedMargins(const BinaryDataset& data, std::size_t outputs, unsigned degree)
    : rows_{data.offsets, data.features},
      kernel_(degree, data.longest_row()),
      entries_(data.size(), outputs, true),
      index_(data.ranking.size()) {}

void InvertedMargins::margins(std::uint32_t row, std::span<double> out, const EnoughMargin* /*enough*/) {
    for (const std::uint32_t feature : rows_.row(row)) {
        for (const std::uint32_t entry : index_[feature]) {
            if (shared_[entry]++ == 0) {
                touched_.push_back(entry);
            }
        }
    }
    // Support vectors that share nothing have the kernel 1: the sum of all coefficients stands for them.
    std::copy(entries_.sums().begin(), entries_.sums().end(), out.begin());
    for (const std::uint32_t entry : touched_) {
        const double excess = kernel_.value(shared_[entry]) - 1;
        if (out.size() == 1) {
            out[0] += excess * entries_.coefficient(entry);
        } else {
            for (const OutputChange& coefficient : entries_.coefficients(entry)) {
                out[coefficient.output] += excess * coefficient.amount;
            }
        }
        shared_[entry] = 0;
    }
    touched_.clear();
}

std::uint32_t InvertedMargins::update(std::uint32_t row, std::span<const OutputChange> changes) {
    if (entries_.add(row, changes)) {
        for (const std::uint32_t feature : rows_.row(row)) {
            index_[feature].push_back(static_cast<std::uint32_t>(entries_.size() - 1));
        }
        shared_.push_back(0);
    }
    return entries_.vector_of_row(row);
}

}  // namespace treeline::polynomial
