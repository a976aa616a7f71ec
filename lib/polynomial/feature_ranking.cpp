#include "polynomial/feature_ranking.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace treeline::polynomial {

std::uint32_t FeatureNumbers::number(std::uint64_t index) {
    std::uint32_t* place = nullptr;
    if (index < kArrayLimit) {
        if (index >= small_.size()) {
            small_.resize(
                std::max<std::size_t>(index + 1, std::min<std::size_t>(small_.size() * 2, kArrayLimit)),
                kNone);
        }
        place = &small_[index];
    } else {
        place = &large_.try_emplace(index, kNone).first->second;
    }
    if (*place == kNone) {
        if (count_ == kNone) {
            throw base::Error("more than 4294967294 distinct features; keep fewer of them");
        }
        *place = count_++;
    }
    return *place;
}

std::uint32_t FeatureNumbers::find(std::uint64_t index) const {
    if (index < kArrayLimit) {
        return index < small_.size() ? small_[index] : kNone;
    }
    const auto found = large_.find(index);
    return found == large_.end() ? kNone : found->second;
}

FeatureRanking::FeatureRanking(std::vector<std::uint64_t> indices) : indices_(std::move(indices)) {
    for (const std::uint64_t index : indices_) {
        ranks_.number(index);
    }
}

}  // namespace treeline::polynomial
