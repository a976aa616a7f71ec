#include "fragment/score.hpp"

#include "support/catch.hpp"
#include "unit/fragment/models.hpp"

using namespace treeline;
using namespace treeline::test;

TEST_CASE("Scores of given fragments are those of the miner, 0 for what does not occur") {
    const std::string name = GENERATE("st", "sst", "st-bow", "sst-bow", "ptk", "uptk", "ptk(p=2)",
                                      "uptk(gaps=span)", "ptk(terminal=5)");
    CAPTURE(name);
    base::Random random(47);
    for (int round = 0; round < 80; ++round) {
        const kernel::TreeKernel kernel =
            kernel::require_single_tree_kernel(kernel::parse_kernel(name), "the test");
        RandomTreeOptions shape;
        shape.most_nodes = kernel.family().matches_by_label() ? 9 : 14;
        const RandomModel model(random, kernel, 4, shape);
        const RandomModel other(random, kernel, 4, shape);
        const auto space = model.space(kernel);

        tree::SymbolTable symbols;
        fragment::FragmentList fragments;
        std::vector<Listed> expected = mine_all(space, everything());
        for (const Listed& item : mine_all(other.space(kernel), everything())) {
            if (model.relevance.count(item.text) == 0) {
                expected.push_back({item.text, 0, 0, item.shape});
            }
        }
        for (const Listed& item : expected) {
            fragments.add(fragment::parse_fragment(item.text, symbols));
        }
        const auto scores =
            fragment::score_fragments(space, fragment::WeightScheme::kExact, fragments, symbols);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            CAPTURE(expected[i].text);
            REQUIRE_THAT(scores[i].relevance, Catch::Matchers::WithinAbs(expected[i].relevance, 1e-12));
            REQUIRE(scores[i].count == expected[i].count);
            if (!kernel.family().matches_by_label()) {
                REQUIRE(scores[i].relevance == expected[i].relevance);
            }
        }
    }
}
