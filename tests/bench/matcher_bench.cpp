/// Trees matched a second, next to what adding them to a forest costs: read the figures as ratios.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "base/random.hpp"
#include "fragment/matcher.hpp"
#include "fragment/miner.hpp"
#include "fragment/mining_space.hpp"
#include "support/random_trees.hpp"
#include "tree/forest.hpp"

namespace {

using namespace treeline;

struct Sample {
    test::RandomTreeOptions shape;
    std::vector<tree::TreeText> trees;
    tree::Forest forest;
    std::vector<tree::NodeId> roots;
    std::vector<double> coefficients;

    Sample() {
        base::Random random(1);
        shape.labels = {"S", "NP", "VP", "PP", "N", "V", "D", "P", "ADJP", "SBAR"};
        for (int i = 0; i < 200; ++i) {
            shape.words.push_back("w" + std::to_string(i));
        }
        for (int i = 0; i < 5000; ++i) {
            trees.push_back(test::random_tree(random, shape));
            roots.push_back(*forest.add(trees.back()));
            coefficients.push_back(random.normal());
        }
    }
};

const Sample& sample() {
    static const Sample kSample;
    return kSample;
}

fragment::MatcherIndex index_of(std::size_t top, const char* kernel_name) {
    const auto kernel =
        kernel::require_single_tree_kernel(kernel::parse_kernel(kernel_name), "the benchmark");
    fragment::MatcherIndex index(kernel, fragment::WeightScheme::kExact, sample().forest.symbols());
    const fragment::MiningSpace space(sample().forest, kernel, sample().roots, sample().coefficients);
    fragment::MinerOptions options;
    options.top = top;
    std::uint32_t number = 0;
    fragment::mine(space, options,
                   [&](const fragment::MinedFragment& mined) { index.add(number++, mined.fragment); });
    return index;
}

void count_trees(benchmark::State& state) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(sample().trees.size()));
}

void add_to_forest(benchmark::State& state) {
    for (auto _ : state) {
        tree::Forest forest;
        for (const tree::TreeText& tree : sample().trees) {
            benchmark::DoNotOptimize(forest.add(tree));
        }
    }
    count_trees(state);
}
BENCHMARK(add_to_forest)->Unit(benchmark::kMillisecond);

void match(benchmark::State& state, const char* kernel_name, bool with_norm) {
    const fragment::MatcherIndex index = index_of(static_cast<std::size_t>(state.range(0)), kernel_name);
    std::vector<fragment::Match> matches;
    for (auto _ : state) {
        fragment::Matcher matcher(index);
        for (const tree::TreeText& tree : sample().trees) {
            matcher.match(tree, matches);
            benchmark::DoNotOptimize(matches.data());
            if (with_norm) {
                benchmark::DoNotOptimize(matcher.self_kernel());
            }
        }
    }
    count_trees(state);
}
BENCHMARK_CAPTURE(match, sst, "sst", false)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(match, sst_with_norm, "sst", true)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(match, ptk, "ptk", false)->Arg(10000)->Unit(benchmark::kMillisecond);

}  // namespace
