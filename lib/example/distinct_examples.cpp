#include "example/distinct_examples.hpp"

#include <algorithm>
#include <bit>

#include "tree/id_hash_table.hpp"

namespace treeline::example {

using example::ExampleSet;

namespace {

std::uint64_t hash_example(const ExampleSet& examples, std::uint32_t x) {
    std::uint64_t hash = examples.trees(x).size();
    for (const tree::NodeId root : examples.trees(x)) {
        hash = tree::mix_hash(hash, raw(root));
    }
    for (std::size_t v = 0; v < examples.vector_count(x); ++v) {
        hash = tree::mix_hash(hash, v);
        for (const example::Feature& feature : examples.vector(x, v)) {
            hash = tree::mix_hash(tree::mix_hash(hash, feature.index),
                                  std::bit_cast<std::uint64_t>(feature.value));
        }
    }
    return hash;
}

bool are_equal(const ExampleSet& examples, std::uint32_t x, std::uint32_t y) {
    if (!std::ranges::equal(examples.trees(x), examples.trees(y)) ||
        examples.vector_count(x) != examples.vector_count(y)) {
        return false;
    }
    for (std::size_t v = 0; v < examples.vector_count(x); ++v) {
        if (!std::ranges::equal(examples.vector(x, v), examples.vector(y, v))) {
            return false;
        }
    }
    return true;
}

}  // namespace

DistinctExamples find_distinct(const ExampleSet& examples, std::span<const std::uint32_t> subset) {
    DistinctExamples distinct;
    tree::IdHashTable table;
    for (std::size_t i = 0; i < subset.size(); ++i) {
        const std::uint64_t hash = hash_example(examples, subset[i]);
        std::uint32_t kind = table.find(hash, [&](std::uint32_t other) {
            return are_equal(examples, subset[i], subset[distinct.first[other]]);
        });
        if (kind == tree::IdHashTable::kNone) {
            kind = static_cast<std::uint32_t>(distinct.first.size());
            distinct.first.push_back(static_cast<std::uint32_t>(i));
            table.insert(hash, kind);
        }
        distinct.which.push_back(kind);
    }
    return distinct;
}

}  // namespace treeline::example
