#include "kernel/node_index.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "example/example_set.hpp"
#include "support/catch.hpp"
#include "support/kernel_trees.hpp"

using namespace treeline;
using namespace treeline::kernel;
using tree::NodeId;

namespace {

const TreeKernel kSubset{.kind = TreeKernelKind::kSst};
const TreeKernel kBow{.kind = TreeKernelKind::kStBow};
const TreeKernel kPartial{.kind = TreeKernelKind::kUptk};

/// Nodes of the given ranks.
std::multiset<NodeId> nodes_of(const NodeIndex& index, std::span<const NodeIndex::Rank> ranks) {
    std::multiset<NodeId> nodes;
    for (const NodeIndex::Rank rank : ranks) {
        nodes.insert(index.node(rank));
    }
    return nodes;
}

}  // namespace

TEST_CASE("Every child that takes part is below its parent once, where it is compared or as a lone leaf") {
    const test::RandomForest trees(63, 80);
    // All trees, and a few: nodes that are most of the forest, and nodes that are few of it.
    const auto all = trees.distinct_roots();
    for (const auto& roots : {std::span(all), std::span(all).first(2)}) {
        for (const TreeKernel& kernel : {kSubset, kBow, kPartial}) {
            const NodeIndex index(trees.forest, roots, kernel);
            for (NodeIndex::Rank rank = 0; rank < index.size(); ++rank) {
                std::multiset<NodeId> compared;
                std::multiset<NodeId> lone;
                for (const NodeId child : trees.forest.children(index.node(rank))) {
                    if (kernel == kPartial || !trees.forest.is_leaf(child)) {
                        compared.insert(child);
                    } else if (kernel == kBow) {
                        lone.insert(child);
                    }
                }
                REQUIRE(nodes_of(index, index.children(rank)) == compared);
                REQUIRE(nodes_of(index, index.lone_leaves(rank)) == lone);
                REQUIRE(index.find(index.node(rank)) == rank);
            }
        }
    }
}

TEST_CASE("Ranks in the order of ids have children before parents") {
    const test::RandomForest trees(64, 50);
    const NodeIndex index(trees.forest, trees.distinct_roots(), kPartial);
    std::map<NodeIndex::Rank, std::size_t> position;
    for (const NodeIndex::Rank rank : index.ascending()) {
        for (const NodeIndex::Rank child : index.children(rank)) {
            REQUIRE(position.contains(child));
        }
        position.emplace(rank, position.size());
    }
    CHECK(position.size() == index.size());
}

TEST_CASE("Runs cover all ranks, one a production and one a label") {
    const test::RandomForest trees(65, 50);
    const NodeIndex index(trees.forest, trees.distinct_roots(), kBow);
    const auto check = [&](std::span<const NodeIndex::Run> runs, auto key) {
        std::set<std::uint32_t> keys;
        NodeIndex::Rank next = 0;
        for (const NodeIndex::Run& run : runs) {
            REQUIRE(run.begin == next);
            REQUIRE(run.end > run.begin);
            REQUIRE(keys.insert(key(run.begin)).second);
            for (NodeIndex::Rank rank = run.begin; rank < run.end; ++rank) {
                REQUIRE(key(rank) == key(run.begin));
            }
            next = run.end;
        }
        REQUIRE(next == index.size());
    };
    check(index.production_runs(),
          [&](NodeIndex::Rank rank) { return raw(trees.forest.production(index.node(rank))); });
    check(index.label_runs(),
          [&](NodeIndex::Rank rank) { return raw(trees.forest.label(index.node(rank))); });
}

TEST_CASE("What takes no part is not found") {
    tree::Forest forest;
    const NodeId word = forest.add_node(forest.symbols().intern("word"), {});
    const NodeId noun = forest.add_node(forest.symbols().intern("NN"), std::span(&word, 1));
    const NodeId other = forest.add_node(forest.symbols().intern("JJ"), std::span(&word, 1));
    const std::vector<NodeId> roots{noun, example::kEmptyTree, noun, word};
    const NodeIndex index(forest, roots, kSubset);
    CHECK(index.size() == 1);
    CHECK(index.find(noun) == 0);
    CHECK(index.find(word) == NodeIndex::kNoRank);
    CHECK(index.find(other) == NodeIndex::kNoRank);
    CHECK(index.find(example::kEmptyTree) == NodeIndex::kNoRank);
    CHECK(NodeIndex(forest, roots, kPartial).size() == 2);
    CHECK(NodeIndex(forest, {}, kSubset).size() == 0);
}
