#include "evaluate/folds.hpp"

#include <utility>

namespace treeline::evaluate {

std::vector<Fold> make_folds(std::span<const std::uint32_t> members, std::size_t count, Splitting splitting,
                             std::uint64_t seed) {
    auto parts = split_examples(members, count, splitting, seed);
    std::vector<std::size_t> fold_of(members.size());
    for (std::size_t part = 0; part < parts.size(); ++part) {
        for (const std::uint32_t position : parts[part]) {
            fold_of[position] = part;
        }
    }
    std::vector<Fold> folds(count);
    for (std::size_t fold = 0; fold < count; ++fold) {
        folds[fold].test = std::move(parts[fold]);
        for (std::uint32_t position = 0; position < members.size(); ++position) {
            if (fold_of[position] != fold) {
                folds[fold].training.push_back(position);
            }
        }
    }
    return folds;
}

}  // namespace treeline::evaluate
