#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "example/example_set.hpp"
#include "support/random_trees.hpp"
#include "tree/forest.hpp"

namespace treeline::test {

/// Examples with random trees and vectors; some repeat, some have fewer trees or none, some trees are empty.
struct RandomExamples {
    tree::Forest forest;
    example::ExampleSet set;

    RandomExamples(std::uint64_t seed, std::size_t count, std::size_t most_trees = 1) {
        base::Random random(seed);
        const RandomTreeOptions options;
        example::Example example;
        for (std::size_t i = 0; i < count; ++i) {
            if (i == 0 || random.below(8) != 0) {
                example.clear();
                const std::size_t trees = most_trees == 1 ? 1 : random.below(most_trees + 1);
                for (std::size_t t = 0; t < trees; ++t) {
                    auto& tree = example.add_tree();
                    if (random.below(30) != 0) {
                        tree = random_tree(random, options);
                    }
                }
                auto& vector = example.add_vector();
                for (std::uint32_t index = 1; index <= 12; ++index) {
                    if (random.below(3) == 0) {
                        vector.push_back({index, random.normal()});
                    }
                }
            }
            example.label = random.below(2) == 0 ? "+1" : "-1";
            set.add(example, forest);
        }
    }

    [[nodiscard]] std::vector<std::uint32_t> all() const {
        std::vector<std::uint32_t> numbers(set.size());
        std::iota(numbers.begin(), numbers.end(), 0U);
        return numbers;
    }
};

}  // namespace treeline::test
