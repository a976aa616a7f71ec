#include "kernel/target_index.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "support/catch.hpp"
#include "support/kernel_trees.hpp"

using namespace treeline;
using namespace treeline::kernel;
using tree::Forest;
using tree::NodeId;

namespace {

const TreeKernel kWithout{.kind = TreeKernelKind::kSst};
const TreeKernel kBow{.kind = TreeKernelKind::kSstBow};
const TreeKernel kPartial{.kind = TreeKernelKind::kPtk};

/// How often each node occurs in a tree.
std::map<NodeId, double> counts(const Forest& forest, NodeId root, const TreeKernel& kernel) {
    tree::TreeNodes nodes;
    forest.decompose(root, kernel.family().leaves(), nodes);
    std::map<NodeId, double> result;
    for (std::size_t i = 0; i < nodes.nodes.size(); ++i) {
        result[nodes.nodes[i]] = nodes.counts[i];
    }
    return result;
}

}  // namespace

TEST_CASE("The index holds every distinct node of the targets once, productions and labels in runs") {
    const test::RandomForest trees(61, 80);
    const auto roots = trees.distinct_roots();
    for (const TreeKernel& kernel : {kWithout, kBow, kPartial}) {
        const TargetIndex index(trees.forest, roots, kernel);
        std::set<NodeId> expected;
        for (const NodeId root : roots) {
            for (const auto& [node, count] : counts(trees.forest, root, kernel)) {
                expected.insert(node);
            }
        }
        const auto nodes = index.nodes_by_rank();
        REQUIRE(std::set<NodeId>(nodes.begin(), nodes.end()) == expected);
        REQUIRE(nodes.size() == expected.size());
        REQUIRE(index.size() == expected.size());
        for (std::uint32_t rank = 0; rank < nodes.size(); ++rank) {
            const auto production = trees.forest.production(nodes[rank]);
            REQUIRE(index.production_at(rank) == production);
            for (const auto& run :
                 {index.production_run(production), index.label_run(trees.forest.label(nodes[rank]))}) {
                REQUIRE(run.begin <= rank);
                REQUIRE(rank < run.begin + run.size);
            }
            const auto run = index.production_run(production);
            std::size_t column = 0;
            for (const NodeId child : trees.forest.children(nodes[rank])) {
                if (kernel.family().matches_by_label() || !trees.forest.is_leaf(child)) {
                    REQUIRE(nodes[index.child_ranks(run, column++)[rank - run.begin]] == child);
                }
            }
        }
        const auto key = [&](NodeId node) {
            return std::tuple(raw(trees.forest.label(node)), raw(trees.forest.production(node)), raw(node));
        };
        CHECK(std::ranges::is_sorted(nodes, {}, key));
    }
}

TEST_CASE("Productions are found by a child's label") {
    const test::RandomForest trees(62, 60);
    const TargetIndex index(trees.forest, trees.distinct_roots(), kPartial);
    const auto symbols = static_cast<std::uint32_t>(trees.forest.symbols().size());
    for (std::uint32_t label = 0; label < symbols; ++label) {
        for (std::uint32_t child = 0; child < symbols; ++child) {
            std::set<std::uint32_t> expected;
            for (const NodeId node : index.nodes_by_rank()) {
                const auto production = trees.forest.production(node);
                const auto children = trees.forest.production_children(production);
                if (raw(trees.forest.label(node)) == label &&
                    std::ranges::any_of(children, [&](const auto& c) { return raw(c.label) == child; })) {
                    expected.insert(index.production_run(production).begin);
                }
            }
            const auto found = index.productions_with_child(tree::SymbolId{label}, tree::SymbolId{child});
            REQUIRE(std::vector<std::uint32_t>(found.begin(), found.end()) ==
                    std::vector<std::uint32_t>(expected.begin(), expected.end()));
        }
    }
}

TEST_CASE("Values of nodes add up to their occurrences in each target, and back") {
    const test::RandomForest trees(63, 80);
    auto roots = trees.distinct_roots();
    roots.push_back(example::kEmptyTree);
    base::Random random(64);
    for (const TreeKernel& kernel : {kWithout, kBow, kPartial}) {
        const TargetIndex index(trees.forest, roots, kernel);
        const auto nodes = index.nodes_by_rank();
        std::vector<double> values(nodes.size());
        std::ranges::generate(values, [&] { return static_cast<double>(random.below(1000)); });
        std::vector<double> weights(roots.size());
        std::ranges::generate(weights, [&] { return static_cast<double>(random.below(1000)); });

        std::vector<double> upwards(index.step_count());
        index.scatter({0, static_cast<std::uint32_t>(nodes.size())}, upwards.data(),
                      [&](std::uint32_t i) { return values[i]; });
        index.add_upwards(upwards.data());
        std::vector<double> downwards(index.step_count());
        REQUIRE(index.target_count() == roots.size());
        std::map<NodeId, double> weight_of;
        for (std::size_t t = 0; t < roots.size(); ++t) {
            const auto occurrences = roots[t] == example::kEmptyTree ? std::map<NodeId, double>()
                                                                     : counts(trees.forest, roots[t], kernel);
            double expected = 0;
            for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
                const auto found = occurrences.find(nodes[rank]);
                if (found != occurrences.end()) {
                    expected += found->second * values[rank];
                    weight_of[nodes[rank]] += found->second * weights[t];
                }
            }
            const std::uint32_t step = index.root_steps()[t];
            REQUIRE((step == TargetIndex::kNoStep) == occurrences.empty());
            if (step != TargetIndex::kNoStep) {
                REQUIRE(upwards[step] == expected);  // whole numbers: exact
                downwards[step] += weights[t];
            }
        }
        index.add_downwards(downwards.data());
        for (std::uint32_t rank = 0; rank < nodes.size(); ++rank) {
            REQUIRE(index.gather(rank, downwards.data()) == weight_of[nodes[rank]]);
        }
    }
}

TEST_CASE("An index of nothing, and what it does not hold") {
    Forest forest;
    const NodeId leaf = test::add_tree(forest, "(x)");
    const NodeId other = test::add_tree(forest, "(A (B c))");
    const std::vector<NodeId> roots{example::kEmptyTree, leaf};
    const TargetIndex index(forest, roots, kWithout);
    CHECK(index.size() == 0);
    CHECK(index.target_count() == 2);
    CHECK(index.root_steps()[0] == TargetIndex::kNoStep);
    CHECK(index.root_steps()[1] == TargetIndex::kNoStep);
    CHECK(index.production_run(forest.production(other)).size == 0);
    CHECK(index.label_run(forest.label(other)).size == 0);
    CHECK(TargetIndex(forest, {}, kPartial).size() == 0);
}
