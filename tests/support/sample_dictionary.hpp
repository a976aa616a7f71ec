#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "example/example_set.hpp"
#include "fragment/miner.hpp"
#include "fragment/mining_space.hpp"
#include "kernel/description.hpp"
#include "store/dictionary_builder.hpp"
#include "support/random_trees.hpp"
#include "tree/bracket_writer.hpp"
#include "tree/forest.hpp"

namespace treeline::test {

/// SVM-light-TK lines of random trees; a tree is of the first label if `S` has a child `NP` somewhere, of one
/// of the others otherwise.
[[nodiscard]] inline std::string sample_examples(std::uint64_t seed, std::size_t count,
                                                 const std::vector<std::string>& labels = {"+1", "-1"}) {
    base::Random random(seed);
    RandomTreeOptions shape;
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        std::string tree;
        tree::append_tree(tree, random_tree(random, shape));
        const bool first = tree.find("(S (NP") != std::string::npos;
        text +=
            (first ? labels[0] : labels[1 + tree.size() % (labels.size() - 1)]) + " |BT| " + tree + " |ET|\n";
    }
    return text;
}

/// A dictionary of the `top` fragments that tell the mean of each label's trees from that of the others: a
/// model a label, or just one for +1 and -1.
inline void make_sample_dictionary(const std::string& path, const std::string& examples_path, std::size_t top,
                                   const std::string& kernel_text = "sst") {
    const kernel::TreeKernel kernel =
        kernel::require_single_tree_kernel(kernel::parse_kernel(kernel_text), "the test");
    tree::Forest forest;
    example::ExampleSet examples;
    (void)example::read_examples(examples_path, {}, forest, examples);
    const bool two = examples.label_names().size() == 2;
    store::DictionaryInfo info;
    info.kernel = kernel;
    struct Found {
        fragment::Fragment fragment;
        std::vector<store::ModelRelevance> models;
    };
    std::vector<Found> found;
    std::map<std::string, std::size_t> position;
    std::vector<tree::NodeId> roots;
    for (std::size_t i = 0; i < examples.size(); ++i) {
        roots.push_back(examples.trees(i)[0]);
    }
    for (std::uint32_t label = 0; label < examples.label_names().size(); ++label) {
        const std::string name(examples.label_names().text(tree::SymbolId{label}));
        if (two && name != "+1") {
            continue;
        }
        std::vector<double> coefficients;
        for (std::size_t i = 0; i < examples.size(); ++i) {
            coefficients.push_back(raw(examples.label(i)) == label ? 0.05 : -0.05);
        }
        const auto model = static_cast<std::uint32_t>(info.models.size());
        const fragment::MiningSpace space(forest, kernel, roots, coefficients);
        fragment::MinerOptions options;
        options.top = top;
        fragment::mine(space, options, [&](const fragment::MinedFragment& mined) {
            const auto [known, added] =
                position.emplace(fragment::to_text(mined.fragment, forest.symbols()), found.size());
            if (added) {
                found.push_back({{mined.fragment.begin(), mined.fragment.end()}, {}});
            }
            found[known->second].models.push_back({model, mined.relevance, mined.count});
        });
        store::DictionaryModel listed;
        listed.name = "class-" + std::to_string(label);
        listed.label = name;
        info.models.push_back(listed);
    }
    store::DictionaryBuilder builder(path, info, forest.symbols());
    for (const Found& item : found) {
        builder.add(item.fragment, item.models);
    }
    (void)builder.commit({});
}

}  // namespace treeline::test
