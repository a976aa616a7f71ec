#include <cmath>

#include "support/catch.hpp"
#include "unit/fragment/models.hpp"
#include "unit/fragment/paper_harvest.hpp"

using namespace treeline;
using namespace treeline::test;
using fragment::MinerKind;
using fragment::MinerOptions;
using fragment::MiningSpace;

namespace {

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
        const auto expected = by_text(fragment::harvest_as_paper(space, options));
        const auto found = by_text(mine_all(space, options));
        CHECK(found.size() == expected.size());
        const auto exact = by_text(mine_all(space, everything()));
        for (const auto& [text, relevance] : expected) {
            CAPTURE(text);
            REQUIRE(found.count(text) == 1);
            REQUIRE_THAT(found.at(text), Catch::Matchers::WithinAbs(relevance, 1e-12));
            REQUIRE(found.at(text) == exact.at(text));
        }
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
