#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "example/example_set.hpp"
#include "fragment/miner.hpp"
#include "fragment/mining_space.hpp"
#include "kernel/description.hpp"
#include "support/fragment_features.hpp"
#include "support/random_trees.hpp"
#include "tree/forest.hpp"

namespace treeline::test {

/// A kernel model of a few random trees, in a forest of its own, and its fragments by enumeration.
struct RandomModel {
    tree::Forest forest;
    std::vector<tree::NodeId> roots;
    std::vector<double> coefficients;
    FragmentFeatures relevance;  ///< w_f of every fragment

    RandomModel(base::Random& random, const kernel::TreeKernel& kernel, std::size_t trees,
                const RandomTreeOptions& shape) {
        for (std::size_t i = 0; i < trees; ++i) {
            const tree::TreeText tree = random_tree(random, shape);
            roots.push_back(*forest.add(tree));
            coefficients.push_back(random.below(4) == 0 ? (random.below(2) == 0 ? 1.0 : -1.0)
                                                        : 2 * random.uniform() - 1);
            const FragmentFeatures features = fragment_features(tree, kernel);
            const double self = dot(features, features);
            const double norm = !kernel.normalize ? 1.0 : self > 0 ? std::sqrt(self) : 0.0;
            for (const auto& [text, value] : features) {
                relevance[text] += norm > 0 ? coefficients.back() * value / norm : 0;
            }
        }
    }

    [[nodiscard]] fragment::MiningSpace space(const kernel::TreeKernel& kernel) const {
        return {forest, kernel, roots, coefficients};
    }
};

struct Listed {
    std::string text;
    double relevance;
    std::uint64_t count;
    fragment::Shape shape;
};

inline std::vector<Listed> mine_all(const fragment::MiningSpace& space, const fragment::MinerOptions& options,
                                    fragment::MiningReport* report = nullptr) {
    std::vector<Listed> listed;
    const auto found = fragment::mine(space, options, [&](const fragment::MinedFragment& mined) {
        listed.push_back({fragment::to_text(mined.fragment, space.forest().symbols()), mined.relevance,
                          mined.count, fragment::measure(mined.fragment)});
    });
    if (report != nullptr) {
        *report = found;
    }
    return listed;
}

inline fragment::MinerOptions everything() {
    fragment::MinerOptions options;
    options.top = 0;
    return options;
}

}  // namespace treeline::test
