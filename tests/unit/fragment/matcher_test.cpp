#include "fragment/matcher.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "base/error.hpp"
#include "kernel/quadratic.hpp"
#include "kernel/tree_rows.hpp"
#include "kernel/weighted_forest.hpp"
#include "support/catch.hpp"
#include "unit/fragment/models.hpp"

using namespace treeline;
using namespace treeline::test;
using Catch::Matchers::WithinAbs;
using fragment::Match;
using fragment::Matcher;
using fragment::MatcherIndex;

namespace {

kernel::TreeKernel parse(const std::string& text) {
    return kernel::require_single_tree_kernel(kernel::parse_kernel(text), "the test");
}

RandomTreeOptions small_trees(const kernel::TreeKernel& kernel) {
    RandomTreeOptions shape;
    shape.most_nodes = kernel.family().matches_by_label() ? 9 : 14;
    if (kernel.terminal != 1) {
        shape.words = {"a", "b"};  // see test::tree_kernels
    }
    return shape;
}

/// An index of these fragments, numbered in order, and their texts by number.
struct Indexed {
    MatcherIndex index;
    std::vector<std::string> texts;

    explicit Indexed(const kernel::TreeKernel& kernel) : index(kernel) {}
    void add(const std::string& text) {
        index.add(static_cast<std::uint32_t>(texts.size()), fragment::parse_fragment(text, index.symbols()));
        texts.push_back(text);
    }
};

FragmentFeatures matched(Matcher& matcher, const Indexed& indexed, const tree::TreeText& tree) {
    std::vector<Match> matches;
    matcher.match(tree, matches);
    FragmentFeatures features;
    for (std::size_t i = 0; i < matches.size(); ++i) {
        REQUIRE((i == 0 || matches[i - 1].fragment < matches[i].fragment));
        features[indexed.texts[matches[i].fragment]] = matches[i].value;
    }
    return features;
}

const char* const kKernels[] = {
    "st",   "sst",      "st-bow",          "sst-bow",         "ptk",
    "uptk", "ptk(p=2)", "uptk(gaps=span)", "ptk(terminal=5)", "uptk(terminal=0.3,p=2)"};

}  // namespace

TEST_CASE("The fragments found in a tree are those that enumeration finds") {
    const kernel::TreeKernel kernel = parse(GENERATE(from_range(std::begin(kKernels), std::end(kKernels))));
    const RandomTreeOptions shape = small_trees(kernel);
    base::Random random(101);
    for (int round = 0; round < 40; ++round) {
        Indexed indexed(kernel);
        std::map<std::string, bool> chosen;
        for (int i = 0; i < 5; ++i) {
            for (const auto& [text, value] : fragment_features(random_tree(random, shape), kernel)) {
                if (random.below(3) == 0 && chosen.emplace(text, true).second) {
                    indexed.add(text);
                }
            }
        }
        // A cache of a few trees is emptied again and again: the same fragments must come out.
        Matcher matcher(indexed.index);
        Matcher forgetful(indexed.index, 1);
        for (int i = 0; i < 20; ++i) {
            const tree::TreeText tree = random_tree(random, shape);
            FragmentFeatures expected = fragment_features(tree, kernel);
            std::erase_if(expected, [&](const auto& item) { return chosen.count(item.first) == 0; });
            const FragmentFeatures found = matched(matcher, indexed, tree);
            REQUIRE(found.size() == expected.size());
            for (const auto& [text, value] : expected) {
                REQUIRE(found.count(text) == 1);
                REQUIRE_THAT(found.at(text), WithinAbs(value, 1e-12));
            }
            REQUIRE(matched(forgetful, indexed, tree) == found);
            const double self = kernel::quadratic_kernel(tree, tree, kernel);
            REQUIRE_THAT(matcher.self_kernel(), WithinAbs(self, 1e-12 * std::max(1.0, self)));
            REQUIRE(forgetful.self_kernel() == matcher.self_kernel());
        }
    }
}

TEST_CASE("With all fragments in the index, scalar products of the features are the kernel") {
    const kernel::TreeKernel kernel = parse(GENERATE(from_range(std::begin(kKernels), std::end(kKernels))));
    const RandomTreeOptions shape = small_trees(kernel);
    base::Random random(103);
    for (int round = 0; round < 15; ++round) {
        Indexed indexed(kernel);
        std::vector<tree::TreeText> trees;
        std::map<std::string, bool> seen;
        for (int i = 0; i < 6; ++i) {
            trees.push_back(random_tree(random, shape));
            for (const auto& [text, value] : fragment_features(trees.back(), kernel)) {
                if (seen.emplace(text, true).second) {
                    indexed.add(text);
                }
            }
        }
        Matcher matcher(indexed.index);
        std::vector<FragmentFeatures> features;
        for (const auto& tree : trees) {
            features.push_back(matched(matcher, indexed, tree));
        }
        for (std::size_t i = 0; i < trees.size(); ++i) {
            for (std::size_t j = 0; j < trees.size(); ++j) {
                const double value = kernel::quadratic_kernel(trees[i], trees[j], kernel);
                REQUIRE_THAT(dot(features[i], features[j]), WithinAbs(value, 1e-9 * std::max(1.0, value)));
            }
        }
    }
}

TEST_CASE("The linear score over all mined fragments is the kernel's decision value") {
    const kernel::TreeKernel kernel = parse(GENERATE(from_range(std::begin(kKernels), std::end(kKernels))));
    const RandomTreeOptions shape = small_trees(kernel);
    base::Random random(107);
    for (int round = 0; round < 30; ++round) {
        RandomModel model(random, kernel, 1 + random.below(6), shape);
        Indexed indexed(kernel);
        std::vector<double> weights;
        for (const Listed& item : mine_all(model.space(kernel), everything())) {
            indexed.add(item.text);
            weights.push_back(item.relevance);
        }
        Matcher matcher(indexed.index);
        for (int i = 0; i < 10; ++i) {
            const tree::TreeText tree = random_tree(random, shape);
            std::vector<Match> matches;
            matcher.match(tree, matches);
            double score = 0;
            for (const Match& match : matches) {
                score += match.value * weights[match.fragment];
            }
            double decision = 0;
            for (std::size_t t = 0; t < model.roots.size(); ++t) {
                const tree::TreeText other = model.forest.text(model.roots[t]);
                const double self = kernel::quadratic_kernel(other, other, kernel);
                if (self > 0) {
                    decision += model.coefficients[t] * kernel::quadratic_kernel(tree, other, kernel) /
                                std::sqrt(self);
                }
            }
            REQUIRE_THAT(score, WithinAbs(decision, 1e-9 * std::max(1.0, std::abs(decision))));
        }
    }
}

TEST_CASE("Norms do not depend on the trees seen before, to the last bit") {
    const kernel::TreeKernel kernel = parse(GENERATE(from_range(std::begin(kKernels), std::end(kKernels))));
    const MatcherIndex index(kernel);
    RandomTreeOptions shape;
    shape.most_nodes = 60;
    base::Random random(109);
    Matcher old(index);
    std::vector<Match> matches;
    for (int i = 0; i < 200; ++i) {
        const tree::TreeText tree = random_tree(random, shape);
        Matcher fresh(index);
        old.match(tree, matches);
        fresh.match(tree, matches);
        REQUIRE(old.self_kernel() == fresh.self_kernel());
    }
}

TEST_CASE("Deep and wide trees are matched without recursion") {
    std::string deep;
    for (int i = 0; i < 100000; ++i) {
        deep += "(A ";
    }
    deep += "w" + std::string(100000, ')');
    Indexed indexed(parse("sst"));
    indexed.add("(A (A))");
    indexed.add("(A (A (A w)))");
    Matcher matcher(indexed.index);
    const auto found = matched(matcher, indexed, tree_of(deep));
    CHECK_THAT(found.at("(A (A))"), WithinAbs(99999 * std::sqrt(0.4), 1e-6));
    CHECK_THAT(found.at("(A (A (A w)))"), WithinAbs(std::pow(0.4, 1.5), 1e-12));
    CHECK_THROWS_WITH(matcher.self_kernel(), Catch::Matchers::ContainsSubstring("explicit norm"));

    std::string wide = "(A";
    for (int i = 0; i < 20000; ++i) {
        wide += " b";
    }
    wide += ")";
    CHECK(matched(matcher, indexed, tree_of(wide)).empty());
    CHECK(matcher.self_kernel() == 0.4);
}

TEST_CASE("Fragments outside the kernel's space and repeated ones are refused") {
    const auto refused = [](const std::string& kernel, const std::string& text, const std::string& why) {
        Indexed indexed(parse(kernel));
        CHECK_THROWS_WITH(indexed.add(text), Catch::Matchers::ContainsSubstring(why));
    };
    refused("sst", "(NP)", "not in the space");
    refused("sst", "word", "not in the space");
    refused("sst-bow", "(NP)", "not in the space");
    refused("st", "(NP (N))", "not in the space");
    refused("uptk", "(NP)", "not in the space");
    for (const char* const kernel : {"sst", "ptk"}) {
        Indexed indexed(parse(kernel));
        indexed.add("(NP (N))");
        CHECK_THROWS_WITH(indexed.add("(NP (N))"), Catch::Matchers::ContainsSubstring("twice"));
    }
}
