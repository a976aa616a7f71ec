#include <cmath>
#include <map>

#include "fragment/score.hpp"
#include "kernel/pairwise.hpp"
#include "kernel/tree_rows.hpp"
#include "store/kernel_model.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "unit/fragment/models.hpp"

using namespace treeline;
using namespace treeline::test;

namespace {

/// A model that SVM-light-TK wrote, with the support vectors that `wanted` keeps.
struct RealModel {
    tree::Forest forest;
    kernel::TreeKernel kernel;
    std::vector<tree::NodeId> roots;
    std::vector<double> coefficients;

    template <typename Wanted>
    RealModel(const std::string& name, Wanted&& wanted) {
        example::ExampleSet examples;
        const store::KernelModel model = store::read_kernel_model(
            data_file("oracle/svmlighttk_models/" + name + ".model.gz"), forest, examples);
        kernel = kernel::require_single_tree_kernel(model.kernel, "the test");
        for (const store::SupportVector& vector : model.support) {
            const tree::NodeId root = examples.trees(vector.example)[0];
            if (wanted(root)) {
                roots.push_back(root);
                coefficients.push_back(vector.coefficient);
            }
        }
    }
    [[nodiscard]] fragment::MiningSpace space() const { return {forest, kernel, roots, coefficients}; }
};

std::size_t inner_nodes(const tree::Forest& forest, tree::NodeId root) {
    tree::TreeNodes nodes;
    forest.decompose(root, tree::Forest::Leaves::kWithout, nodes);
    std::size_t count = 0;
    for (const std::uint32_t n : nodes.counts) {
        count += n;
    }
    return count;
}

}  // namespace

TEST_CASE("On real models the score over a tree's fragments is the kernel's decision value", "[data]") {
    const std::string name = GENERATE("ABBR", "DESC", "ENTY", "NUM");
    const RealModel model(name, [](tree::NodeId) { return true; });
    const fragment::MiningSpace space = model.space();
    const std::vector<double> norms =
        kernel::inverse_norms(kernel::self_kernels(model.forest, model.roots, model.kernel), model.kernel);
    std::size_t checked = 0;
    for (std::size_t i = 0; i < model.roots.size() && checked < 8; ++i) {
        if (inner_nodes(model.forest, model.roots[i]) > 13) {
            continue;
        }
        ++checked;
        // Every fragment of the tree, then its weight in the model.
        kernel::TreeKernel plain = model.kernel;
        plain.normalize = false;
        const fragment::MiningSpace own(model.forest, plain, std::vector{model.roots[i]}, std::vector{1.0});
        fragment::FragmentList fragments;
        std::vector<double> values;
        fragment::mine(own, everything(), [&](const fragment::MinedFragment& mined) {
            fragments.add(mined.fragment);
            values.push_back(mined.relevance * norms[i]);
        });
        const auto scores = fragment::score_fragments(space, fragment::WeightScheme::kExact, fragments,
                                                      model.forest.symbols());
        double linear = 0;
        for (std::size_t f = 0; f < values.size(); ++f) {
            linear += values[f] * scores[f].relevance;
        }
        double decision = 0;
        kernel::PairwiseEvaluator evaluator(model.forest, model.kernel);
        kernel::PairwiseTree x;
        kernel::PairwiseTree y;
        evaluator.prepare(model.roots[i], x);
        for (std::size_t j = 0; j < model.roots.size(); ++j) {
            evaluator.prepare(model.roots[j], y);
            decision += model.coefficients[j] * norms[i] * norms[j] * evaluator.value(x, y);
        }
        CHECK_THAT(linear, Catch::Matchers::WithinAbs(decision, 1e-9));
    }
    CHECK(checked == 8);
}

TEST_CASE("On real models of small trees the fragments carry all of the squared norm", "[data]") {
    const std::string name = GENERATE("ABBR", "NUM");
    const RealModel model(name, [](tree::NodeId) { return true; });
    std::vector<tree::NodeId> roots;
    std::vector<double> coefficients;
    for (std::size_t i = 0; i < model.roots.size(); ++i) {
        if (inner_nodes(model.forest, model.roots[i]) <= 13) {
            roots.push_back(model.roots[i]);
            coefficients.push_back(model.coefficients[i]);
        }
    }
    REQUIRE(roots.size() > 10);
    const fragment::MiningSpace space(model.forest, model.kernel, roots, coefficients);
    const auto report = fragment::mine(space, everything(), [](const fragment::MinedFragment&) {});
    CHECK_THAT(report.squared_relevance, Catch::Matchers::WithinRel(space.squared_norm(), 1e-9));
}

TEST_CASE("On real models the miners agree on what they share", "[data]") {
    const std::string name = GENERATE("ABBR", "NUM");
    const RealModel model(name, [](tree::NodeId) { return true; });
    const fragment::MiningSpace space = model.space();
    fragment::MinerOptions options;
    options.top = 3000;
    std::map<std::string, double> exact;
    for (const Listed& item : mine_all(space, options)) {
        exact[item.text] = item.relevance;
    }
    const auto compare = [&](const fragment::MinerOptions& other) {
        std::size_t shared = 0;
        for (const Listed& item : mine_all(space, other)) {
            if (const auto found = exact.find(item.text); found != exact.end()) {
                REQUIRE_THAT(item.relevance, Catch::Matchers::WithinAbs(found->second, 1e-9));
                ++shared;
            }
        }
        return shared;
    };
    options.kind = fragment::MinerKind::kPaper;
    options.max_depth = 2;
    options.max_expansions = 2;
    CHECK(compare(options) > 1000);
    options.kind = fragment::MinerKind::kGreedy;
    options.top = 50;
    CHECK(compare(options) > 100);
}
