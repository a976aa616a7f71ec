#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "support/catch.hpp"
#include "unit/fragment/models.hpp"

using namespace treeline;
using namespace treeline::test;
using fragment::MinerKind;
using fragment::MinerOptions;
using fragment::MiningSpace;

namespace {

/// Rounds that Algorithm 3.1 needs for a fragment whose inner, expanded nodes form this tree: each round expands at most
/// `width` nodes whose parents are expanded. Deepest remaining chains first is best for trees.
std::uint32_t rounds_needed(const fragment::Fragment& fragment, std::uint32_t width) {
    struct Node {
        std::size_t parent;
        std::size_t height = 0;  // expanded nodes on the longest way down
        bool done = false;
    };
    std::vector<Node> nodes;  // the expanded ones, pre-order
    std::vector<std::pair<std::size_t, std::uint32_t>> open;
    for (const auto& node : fragment) {
        if (fragment::child_count(node) > 0) {
            nodes.push_back({open.empty() ? 0 : open.back().first});
            open.emplace_back(nodes.size() - 1, node.children);
            continue;
        }
        while (!open.empty() && --open.back().second == 0) {
            open.pop_back();
        }
    }
    for (std::size_t i = nodes.size(); i-- > 1;) {
        nodes[nodes[i].parent].height = std::max(nodes[nodes[i].parent].height, nodes[i].height + 1);
    }
    nodes[0].done = true;
    std::uint32_t rounds = 0;
    for (std::size_t left = nodes.size() - 1; left > 0; ++rounds) {
        std::vector<std::size_t> ready;
        for (std::size_t i = 1; i < nodes.size(); ++i) {
            if (!nodes[i].done && nodes[nodes[i].parent].done) {
                ready.push_back(i);
            }
        }
        std::ranges::stable_sort(ready, std::ranges::greater{}, [&](std::size_t i) { return nodes[i].height; });
        ready.resize(std::min<std::size_t>(ready.size(), width));
        for (const std::size_t i : ready) {
            nodes[i].done = true;
        }
        left -= ready.size();
    }
    return rounds;
}

std::map<std::string, double> by_text(const std::vector<Listed>& listed) {
    std::map<std::string, double> map;
    for (const Listed& item : listed) {
        map[item.text] = item.relevance;
    }
    return map;
}

kernel::TreeKernel kernel_of(base::Random& random) {
    kernel::TreeKernel kernel;
    kernel.kind = random.below(2) == 0 ? kernel::TreeKernelKind::kSst : kernel::TreeKernelKind::kSstBow;
    return kernel;
}

}  // namespace

TEST_CASE("The paper's miner lists exactly the fragments within its limits, with the exact weights") {
    base::Random random(31);
    for (int round = 0; round < 150; ++round) {
        CAPTURE(round);
        const kernel::TreeKernel kernel = kernel_of(random);
        RandomTreeOptions shape;
        shape.most_nodes = 16;
        const RandomModel model(random, kernel, 4, shape);
        const MiningSpace space = model.space(kernel);
        MinerOptions options = everything();
        options.kind = MinerKind::kPaper;
        options.max_depth = static_cast<std::uint32_t>(random.below(4));
        options.max_expansions = 1 + static_cast<std::uint32_t>(random.below(3));
        const auto found = by_text(mine_all(space, options));
        tree::SymbolTable symbols;
        std::size_t expected = 0;
        for (const Listed& item : mine_all(space, everything())) {
            const auto parsed = fragment::parse_fragment(item.text, symbols);
            CAPTURE(item.text);
            if (item.shape.expanded > 0 && rounds_needed(parsed, options.max_expansions) > options.max_depth) {
                REQUIRE(found.count(item.text) == 0);
                continue;
            }
            ++expected;
            REQUIRE(found.count(item.text) == 1);
            REQUIRE_THAT(found.at(item.text), Catch::Matchers::WithinAbs(item.relevance, 1e-12));
        }
        CHECK(found.size() == expected);
    }
}

TEST_CASE("The greedy miner's fragments have the exact weights and reach its cut-off") {
    base::Random random(37);
    for (int round = 0; round < 150; ++round) {
        const kernel::TreeKernel kernel = kernel_of(random);
        RandomTreeOptions shape;
        shape.most_nodes = 14;
        const RandomModel model(random, kernel, 5, shape);
        const MiningSpace space = model.space(kernel);
        const auto exact = mine_all(space, everything());
        double base_weight = 0;
        for (const Listed& item : exact) {
            if (item.shape.expanded <= 1) {
                base_weight = std::max(base_weight, std::abs(item.relevance));
            }
        }
        MinerOptions options;
        options.kind = MinerKind::kGreedy;
        options.top = 1 + random.below(30);
        const double cut_off = base_weight / static_cast<double>(options.top);
        const auto weights = by_text(exact);
        const auto found = mine_all(space, options);
        const auto listed = by_text(found);
        CHECK(listed.size() == found.size());
        for (const Listed& item : found) {
            REQUIRE_THAT(item.relevance, Catch::Matchers::WithinAbs(weights.at(item.text), 1e-12));
            REQUIRE(std::abs(item.relevance) >= cut_off * (1 - 1e-12));
        }
        for (const Listed& item : exact) {
            if (item.shape.expanded <= 1 && std::abs(item.relevance) > cut_off * (1 + 1e-12)) {
                REQUIRE(listed.count(item.text) == 1);
            }
        }
    }
}

TEST_CASE("Where nothing cancels, the greedy miner finds all that reaches its cut-off") {
    base::Random random(41);
    for (int round = 0; round < 60; ++round) {
        kernel::TreeKernel kernel;
        RandomTreeOptions shape;
        shape.most_nodes = 12;
        RandomModel model(random, kernel, 4, shape);
        for (double& coefficient : model.coefficients) {
            coefficient = std::abs(coefficient);
        }
        const MiningSpace space = model.space(kernel);
        const auto exact = mine_all(space, everything());
        MinerOptions options;
        options.kind = MinerKind::kGreedy;
        options.top = 20;
        double base_weight = 0;
        for (const Listed& item : exact) {
            base_weight = std::max(base_weight, item.shape.expanded == 1 ? item.relevance : 0);
        }
        const auto listed = by_text(mine_all(space, options));
        for (const Listed& item : exact) {
            if (item.relevance > base_weight / 20 * (1 + 1e-12)) {
                REQUIRE(listed.count(item.text) == 1);
            }
        }
    }
}

TEST_CASE("Miners that keep everything stop at the memory allowed") {
    base::Random random(43);
    RandomTreeOptions shape;
    shape.most_nodes = 60;
    const kernel::TreeKernel kernel;
    RandomModel model(random, kernel, 0, shape);
    for (int i = 0; i < 20; ++i) {
        model.roots.push_back(*model.forest.add(random_tree(random, shape)));
        model.coefficients.push_back(1);
    }
    MinerOptions options;
    options.kind = MinerKind::kPaper;
    options.top = 10;
    options.memory = 200000;
    CHECK_THROWS_AS(mine_all(model.space(kernel), options), base::Error);
}
