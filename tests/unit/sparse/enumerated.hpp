#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "example/example_set.hpp"
#include "fragment/vectorizer.hpp"
#include "kernel/description.hpp"
#include "linear/sparse_solver.hpp"
#include "sparse/feature_rows.hpp"
#include "support/fragment_features.hpp"
#include "support/random_trees.hpp"
#include "tree/forest.hpp"

namespace treeline::test {

struct EnumeratedOptions {
    std::size_t examples = 12;
    std::size_t most_nodes = 9;
    bool vectors = false;  ///< flat features, too
    bool costs = false;    ///< other than 1
};

/// Random examples of two classes over few labels, so that trees repeat with equal and with different labels, and all their
/// features by enumeration.
struct Enumerated {
    tree::Forest forest;
    example::ExampleSet set;
    std::vector<std::uint32_t> all;
    std::vector<std::uint32_t> classes;
    std::map<std::string, linear::SparseColumn>
        features;                ///< by text of the fragment, or number of the flat feature; by example
    std::vector<double> labels;  ///< by example
    std::vector<double> costs;

    Enumerated(base::Random& random, const kernel::TreeKernel& kernel, const EnumeratedOptions& options) {
        RandomTreeOptions shape;
        shape.most_nodes = options.most_nodes;
        shape.most_children = 3;
        for (std::uint32_t i = 0; i < options.examples; ++i) {
            example::Example example;
            const tree::TreeText tree = random_tree(random, shape);
            example.add_tree() = tree;
            const bool positive = i == 0 || (i > 1 && random.below(2) == 0);
            example.label = positive ? "+1" : "-1";
            example.cost = options.costs ? 0.25 + random.uniform() : 1;
            const FragmentFeatures fragments = fragment_features(tree, kernel);
            const double self = kernel.normalize ? dot(fragments, fragments) : 1;
            for (const auto& [text, value] : fragments) {
                features[text].rows.push_back(i);
                features[text].values.push_back(value / std::sqrt(self));
            }
            if (options.vectors) {
                auto& vector = example.add_vector();
                double square = 0;
                for (std::uint32_t index = 1; index <= 4; ++index) {
                    if (random.below(2) == 0) {
                        vector.push_back({index, random.normal()});
                        square += vector.back().value * vector.back().value;
                    }
                }
                for (const example::Feature& feature : vector) {
                    auto& column = features["flat " + std::to_string(feature.index)];
                    column.rows.push_back(i);
                    column.values.push_back(feature.value / std::sqrt(square));
                }
            }
            set.add(example, forest);
            all.push_back(i);
            classes.push_back(positive ? 0 : 1);
            labels.push_back(positive ? 1 : -1);
            costs.push_back(example.cost);
        }
    }

    [[nodiscard]] sparse::FeatureRows rows(const kernel::TreeKernel& kernel) const {
        return {forest, set, all, classes, kernel, fragment::FlatFeatures::kUnit};
    }

    /// The optimum over all features, the problem's labels and costs being those of the examples.
    [[nodiscard]] linear::SparseSolution solve(double c, double l2, linear::SparseLoss loss,
                                               double gap) const {
        std::vector<const linear::SparseColumn*> columns;
        for (const auto& [text, column] : features) {
            columns.push_back(&column);
        }
        linear::SparseSolution solution;
        linear::solve_sparse({labels, costs, c, l2, loss}, columns, {.gap = gap, .max_rounds = 1000},
                             solution);
        return solution;
    }
};

}  // namespace treeline::test
