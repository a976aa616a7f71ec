#include "evaluate/folds.hpp"

#include <algorithm>
#include <utility>

namespace treeline::evaluate {

namespace {

/// Takes the classes out of `part` that have no example elsewhere.
void keep_learnable(std::vector<std::uint32_t>& part, std::span<const std::uint32_t> members,
                    std::vector<std::size_t> examples_of) {
    for (const std::uint32_t position : part) {
        --examples_of[members[position]];
    }
    std::erase_if(part, [&](std::uint32_t position) { return examples_of[members[position]] == 0; });
}

}  // namespace

std::vector<Fold> make_folds(std::span<const std::uint32_t> members, std::size_t count, Splitting splitting,
                             std::uint64_t seed) {
    auto parts = split_examples(members, count, splitting, seed);
    std::vector<std::size_t> examples_of(members.empty() ? 0 : std::ranges::max(members) + std::size_t{1});
    for (const std::uint32_t member : members) {
        ++examples_of[member];
    }
    std::vector<std::size_t> fold_of(members.size(), count);
    for (std::size_t part = 0; part < parts.size(); ++part) {
        keep_learnable(parts[part], members, examples_of);
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
