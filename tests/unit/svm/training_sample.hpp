#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "example/example_set.hpp"
#include "kernel/example_kernel.hpp"
#include "support/random_trees.hpp"

namespace treeline::test {

/// Random trees and vectors with labels that lean on the root; some examples repeat, also with the other
/// label.
struct TrainingSample {
    tree::Forest forest;
    example::ExampleSet examples;
    std::vector<std::uint32_t> subset;
    std::vector<double> labels;

    explicit TrainingSample(std::uint64_t seed, std::size_t count, std::size_t repeat_one_in = 6) {
        base::Random random(seed);
        const RandomTreeOptions options{.most_nodes = 12};
        example::Example example;
        for (std::size_t i = 0; i < count; ++i) {
            if (i == 0 || random.below(repeat_one_in) != 0) {
                example.clear();
                example.add_tree() = random_tree(random, options);
                auto& vector = example.add_vector();
                for (std::uint32_t index = 1; index <= 4; ++index) {
                    vector.push_back({index, random.normal()});
                }
            }
            const bool positive = (example.trees()[0].nodes.back().label == "S") != (random.below(6) == 0);
            example.label = positive ? "+1" : "-1";
            labels.push_back(positive ? 1 : -1);
            subset.push_back(static_cast<std::uint32_t>(i));
            examples.add(example, forest);
        }
    }

    [[nodiscard]] std::vector<std::vector<double>> matrix(
        const kernel::KernelDescription& description) const {
        kernel::ExampleKernel kernel(description, forest);
        std::vector<std::vector<double>> values(subset.size(), std::vector<double>(subset.size()));
        for (std::size_t i = 0; i < subset.size(); ++i) {
            for (std::size_t j = 0; j < subset.size(); ++j) {
                values[i][j] = kernel.value(examples, subset[i], examples, subset[j]);
            }
        }
        return values;
    }
};

}  // namespace treeline::test
