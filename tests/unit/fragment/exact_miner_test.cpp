#include <algorithm>
#include <cmath>
#include <set>

#include "base/parallel.hpp"
#include "kernel/tree_rows.hpp"
#include "kernel/weighted_forest.hpp"
#include "support/catch.hpp"
#include "unit/fragment/models.hpp"

using namespace treeline;
using namespace treeline::test;
using fragment::MinerOptions;
using fragment::MiningReport;
using fragment::MiningSpace;
using kernel::TreeKernelKind;

namespace {

const std::vector<std::string> kKernels{"st",
                                        "sst",
                                        "st-bow",
                                        "sst-bow",
                                        "ptk",
                                        "uptk",
                                        "ptk(p=2)",
                                        "uptk(p=1)",
                                        "ptk(gaps=span)",
                                        "uptk(gaps=span,p=3)",
                                        "ptk(terminal=5)",
                                        "uptk(terminal=0.3,p=2)"};

kernel::TreeKernel parse(const std::string& text) {
    return kernel::require_single_tree_kernel(kernel::parse_kernel(text), "the test");
}

/// Random kernels of a name: decays, normalization.
kernel::TreeKernel random_kernel(base::Random& random, const std::string& name) {
    kernel::TreeKernel kernel = parse(name);
    const double decays[] = {0.2, 0.4, 0.7, 1.0};
    kernel.lambda = decays[random.below(4)];
    kernel.mu = decays[random.below(4)];
    kernel.normalize = random.below(2) == 0;
    return kernel;
}

RandomTreeOptions small_trees(const kernel::TreeKernel& kernel) {
    RandomTreeOptions shape;
    shape.most_nodes = kernel.family().matches_by_label() ? 9 : 14;
    shape.labels = {"S", "NP", "N"};
    shape.words = {"a", kernel.terminal == 1 ? "N" : "b"};  // see test::tree_kernels
    return shape;
}

/// Fragments by |w| descending; only |w| is compared where rounding decides the order.
std::vector<std::pair<double, std::string>> ranked(const FragmentFeatures& relevance) {
    std::vector<std::pair<double, std::string>> list;
    for (const auto& [text, value] : relevance) {
        list.emplace_back(-std::abs(value), text);
    }
    std::ranges::sort(list);
    return list;
}

}  // namespace

TEST_CASE("Mining everything lists each fragment of the kernel's space once, with its weight") {
    const std::string name = GENERATE(from_range(kKernels));
    CAPTURE(name);
    base::Random random(7);
    for (int round = 0; round < 150; ++round) {
        CAPTURE(round);
        const kernel::TreeKernel kernel = random_kernel(random, name);
        const RandomTreeOptions shape = small_trees(kernel);
        const RandomModel model(random, kernel, 1 + random.below(5), shape);
        const MiningSpace space = model.space(kernel);
        MiningReport report;
        const auto listed = mine_all(space, everything(), &report);
        REQUIRE(listed.size() == model.relevance.size());
        for (const Listed& item : listed) {
            const auto found = model.relevance.find(item.text);
            CAPTURE(item.text);
            REQUIRE(found != model.relevance.end());
            REQUIRE_THAT(item.relevance, Catch::Matchers::WithinAbs(found->second, 1e-10));
        }
        CHECK(report.fragments == listed.size());
        CHECK_FALSE(report.limited);
        // Identity 5: the fragments carry all of ||w||^2.
        CHECK_THAT(report.squared_relevance, Catch::Matchers::WithinAbs(space.squared_norm(), 1e-8));
    }
}

TEST_CASE("The top L is the head of the sorted enumeration") {
    const std::string name = GENERATE(from_range(kKernels));
    CAPTURE(name);
    base::Random random(11);
    for (int round = 0; round < 200; ++round) {
        CAPTURE(round);
        const kernel::TreeKernel kernel = random_kernel(random, name);
        const RandomTreeOptions shape = small_trees(kernel);
        const RandomModel model(random, kernel, 1 + random.below(6), shape);
        const auto expected = ranked(model.relevance);
        const std::size_t top = 1 + random.below(expected.size() + 3);
        MinerOptions options;
        options.top = top;
        MiningReport report;
        const auto listed = mine_all(model.space(kernel), options, &report);
        REQUIRE(listed.size() == std::min(top, expected.size()));
        std::set<std::string> texts;
        for (std::size_t i = 0; i < listed.size(); ++i) {
            REQUIRE(texts.insert(listed[i].text).second);
            REQUIRE_THAT(std::abs(listed[i].relevance),
                         Catch::Matchers::WithinAbs(-expected[i].first, 1e-10));
            REQUIRE_THAT(listed[i].relevance,
                         Catch::Matchers::WithinAbs(model.relevance.at(listed[i].text), 1e-10));
            if (i > 0) {
                const Listed& before = listed[i - 1];
                const auto key = [](const Listed& item) {
                    return std::tuple(-std::abs(item.relevance), item.text);
                };
                const bool same_size = before.shape == listed[i].shape;
                CHECK((std::abs(before.relevance) > std::abs(listed[i].relevance) || !same_size ||
                       key(before) < key(listed[i])));
            }
        }
        CHECK(report.least == (listed.empty() ? 0 : std::abs(listed.back().relevance)));
        CHECK(report.limited == (listed.size() == top));
    }
}

TEST_CASE("A threshold lists what reaches it") {
    const std::string name = GENERATE(from_range(kKernels));
    base::Random random(13);
    for (int round = 0; round < 60; ++round) {
        const kernel::TreeKernel kernel = random_kernel(random, name);
        const RandomTreeOptions shape = small_trees(kernel);
        const RandomModel model(random, kernel, 4, shape);
        MinerOptions options = everything();
        options.threshold = 0.05 + random.uniform() / 4;
        std::size_t expected = 0;
        bool close = false;
        for (const auto& [text, value] : model.relevance) {
            expected += std::abs(value) >= options.threshold;
            close = close || std::abs(std::abs(value) - options.threshold) < 1e-12;
        }
        if (!close) {
            CHECK(mine_all(model.space(kernel), options).size() == expected);
        }
    }
}

TEST_CASE("The linear score over all fragments is the kernel's decision value") {
    const std::string name = GENERATE(from_range(kKernels));
    CAPTURE(name);
    base::Random random(17);
    for (int round = 0; round < 60; ++round) {
        const kernel::TreeKernel kernel = random_kernel(random, name);
        const RandomTreeOptions shape = small_trees(kernel);
        RandomModel model(random, kernel, 5, shape);
        const tree::TreeText text = random_tree(random, shape);
        const tree::NodeId x = *model.forest.add(text);
        const FragmentFeatures features = fragment_features(text, kernel);
        double score = 0;
        for (const Listed& item : mine_all(model.space(kernel), everything())) {
            const auto found = features.find(item.text);
            score += found == features.end() ? 0 : item.relevance * found->second;
        }
        // One tree at a time: roots of a weighted forest are distinct.
        double decision = 0;
        for (std::size_t i = 0; i < model.roots.size(); ++i) {
            const std::vector<tree::NodeId> root{model.roots[i]};
            const auto norms =
                kernel::inverse_norms(kernel::self_kernels(model.forest, root, kernel), kernel);
            const std::vector<double> coefficient{model.coefficients[i] * norms[0]};
            const kernel::WeightedForest weighted(model.forest, root, coefficient, kernel);
            decision += kernel::WeightedForest::Evaluator(weighted).value(x);
        }
        REQUIRE_THAT(score, Catch::Matchers::WithinAbs(decision, 1e-9 * std::max(1.0, std::abs(decision))));
    }
}

TEST_CASE("Depth weights rank by lambda^depth") {
    base::Random random(19);
    for (int round = 0; round < 100; ++round) {
        kernel::TreeKernel kernel = parse(random.below(2) == 0 ? "sst" : "st");
        const RandomTreeOptions shape = small_trees(kernel);
        const RandomModel model(random, kernel, 4, shape);
        const MiningSpace space = model.space(kernel);
        std::map<std::string, double> expected;
        for (const Listed& item : mine_all(space, everything())) {
            expected[item.text] =
                item.relevance * std::pow(kernel.lambda, item.shape.depth - item.shape.expanded / 2.0);
        }
        MinerOptions options;
        options.weight = fragment::WeightScheme::kDepth;
        options.top = 1 + random.below(expected.size());
        std::vector<double> values;
        for (const auto& [text, value] : expected) {
            values.push_back(-std::abs(value));
        }
        std::ranges::sort(values);
        const auto listed = mine_all(space, options);
        REQUIRE(listed.size() == options.top);
        for (std::size_t i = 0; i < listed.size(); ++i) {
            REQUIRE_THAT(listed[i].relevance, Catch::Matchers::WithinAbs(expected.at(listed[i].text), 1e-10));
            REQUIRE_THAT(std::abs(listed[i].relevance), Catch::Matchers::WithinAbs(-values[i], 1e-10));
        }
    }
}

TEST_CASE("Filters keep the order and leave out what does not pass") {
    const std::string name = GENERATE(from_range(kKernels));
    CAPTURE(name);
    base::Random random(23);
    for (int round = 0; round < 40; ++round) {
        const kernel::TreeKernel kernel = random_kernel(random, name);
        const RandomTreeOptions shape = small_trees(kernel);
        const RandomModel model(random, kernel, 6, shape);
        const MiningSpace space = model.space(kernel);
        const auto all = mine_all(space, everything());

        MinerOptions options = everything();
        options.min_count = 3;
        options.max_size = 2;
        options.containing = "*P";
        std::vector<std::string> expected;
        for (const Listed& item : all) {
            const std::uint32_t size =
                kernel.family().matches_by_label() ? item.shape.nodes : std::max(1U, item.shape.expanded);
            if (item.count >= 3 && size <= 2 && item.text.find("NP") != std::string::npos) {
                expected.push_back(item.text);
            }
        }
        std::vector<std::string> found;
        for (const Listed& item : mine_all(space, options)) {
            found.push_back(item.text);
        }
        CHECK(found == expected);
    }
}

TEST_CASE("The list is the same for any number of threads") {
    const std::string name = GENERATE(from_range(kKernels));
    base::Random random(29);
    const kernel::TreeKernel kernel = parse(name);
    RandomTreeOptions shape;
    shape.most_nodes = kernel.family().matches_by_label() ? 14 : 25;
    RandomModel model(random, kernel, 0, shape);
    for (int i = 0; i < 300; ++i) {
        model.roots.push_back(*model.forest.add(random_tree(random, shape)));
        model.coefficients.push_back(random.below(3) == 0 ? 1.0 : -0.5);
    }
    const MiningSpace space = model.space(kernel);
    MinerOptions options;
    options.top = 700;
    const auto list = [&](std::size_t threads) {
        std::string text;
        base::run_with_threads(threads, [&] {
            for (const Listed& item : mine_all(space, options)) {
                text += item.text + '\t' + std::to_string(item.relevance) + '\t' +
                        std::to_string(item.count) + '\n';
            }
        });
        return text;
    };
    const std::string one = list(1);
    CHECK(std::ranges::count(one, '\n') == 700);
    CHECK(list(2) == one);
    CHECK(list(4) == one);
}

TEST_CASE("Trees that nest deeply or spread widely are mined without recursion") {
    tree::Forest forest;
    const tree::SymbolId label = forest.symbols().intern("A");
    const tree::SymbolId word = forest.symbols().intern("w");
    tree::NodeId node = forest.add_node(word, {});
    const tree::NodeId leaf = node;
    for (int level = 0; level < 100000; ++level) {
        node = forest.add_node(label, std::vector{node});
    }
    const std::vector<tree::NodeId> wide_children(20000, leaf);
    const std::vector<tree::NodeId> roots{node, forest.add_node(label, wide_children)};
    const std::vector<double> coefficients{1, -1};
    for (const std::string name : {"sst(norm=none)", "st(norm=none)"}) {
        const MiningSpace space(forest, parse(name), roots, coefficients);
        MinerOptions options;
        options.top = 50;
        CHECK(mine_all(space, options).size() == 50);
    }
    const std::vector<tree::NodeId> bush(20000, leaf);
    const std::vector<tree::NodeId> partial_roots{forest.add_node(label, bush)};
    const MiningSpace space(forest, parse("ptk(norm=none)"), partial_roots, std::vector<double>{1});
    MinerOptions options;
    options.top = 10;
    CHECK(mine_all(space, options).size() == 10);
}

TEST_CASE("Impossible options are refused") {
    MinerOptions options;
    options.kind = fragment::MinerKind::kPaper;
    CHECK_THROWS_AS(validate(options, parse("ptk")), base::UsageError);
    options = {};
    options.weight = fragment::WeightScheme::kDepth;
    CHECK_THROWS_AS(validate(options, parse("uptk")), base::UsageError);
    options = {};
    options.memory = 1000;
    CHECK_THROWS_WITH(validate(options, parse("sst")), Catch::Matchers::ContainsSubstring("needs about"));
    options = {};
    options.threshold = -1;
    CHECK_THROWS_AS(validate(options, parse("sst")), base::UsageError);
}

TEST_CASE("Label patterns match with stars") {
    using fragment::label_matches;
    CHECK(label_matches("NP", "NP"));
    CHECK_FALSE(label_matches("NP", "NPX"));
    CHECK(label_matches("*-B", "NP-B"));
    CHECK(label_matches("*-*", "NP-B"));
    CHECK_FALSE(label_matches("*-B", "NP-BX"));
    CHECK(label_matches("*", ""));
    CHECK(label_matches("a*b*c", "aXbXbc"));
    CHECK_FALSE(label_matches("", "a"));
}
