/// Reading and forest building on one thread: the first 100,000 lines of the boundary data with gunzip, and
/// generated trees in memory. Items are trees.

#include <benchmark/benchmark.h>

#include <exception>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "example/example_set.hpp"
#include "support/data.hpp"
#include "support/random_trees.hpp"
#include "tree/bracket_writer.hpp"

namespace {

using namespace treeline;

constexpr std::uint64_t kLines = 100'000;

/// The path of the boundary data; empty, with the benchmark marked as skipped, where they are absent.
std::string boundary_data(benchmark::State& state) {
    try {
        return test::data_file("srl/ewt.train.bc.dat.gz");
    } catch (const std::exception& error) {
        state.SkipWithError(error.what());
        return {};
    }
}

void count_trees(benchmark::State& state, std::uint64_t trees) {
    state.SetItemsProcessed(static_cast<std::int64_t>(trees * state.iterations()));
}

void read_lines(benchmark::State& state) {
    const auto path = boundary_data(state);
    for (auto _ : state) {
        base::LineReader reader(path);
        std::uint64_t bytes = 0;
        for (std::string_view line; reader.line_number() < kLines && reader.next(line);) {
            bytes += line.size();
        }
        benchmark::DoNotOptimize(bytes);
    }
    count_trees(state, kLines);
}

void read_and_parse(benchmark::State& state) {
    const auto path = boundary_data(state);
    for (auto _ : state) {
        example::ExampleReader reader(path, {.records = {.limit = kLines}});
        for (example::Example example; reader.next(example);) {
            benchmark::DoNotOptimize(example.trees().data());
        }
    }
    count_trees(state, kLines);
}

void read_and_build_forest(benchmark::State& state) {
    const auto path = boundary_data(state);
    for (auto _ : state) {
        tree::Forest forest;
        example::ExampleSet examples;
        example::read_examples(path, {.records = {.limit = kLines}}, forest, examples);
        benchmark::DoNotOptimize(forest.size());
    }
    count_trees(state, kLines);
}

/// Texts of random trees that share few subtrees: the hard case of a forest.
std::vector<std::string> generated_texts() {
    base::Random random(1);
    test::RandomTreeOptions options;
    options.words.clear();
    for (int i = 0; i < 10'000; ++i) {
        options.words.push_back("word" + std::to_string(i));
    }
    std::vector<std::string> texts(20'000);
    for (auto& text : texts) {
        tree::append_tree(text, test::random_tree(random, options));
    }
    return texts;
}

void parse_generated(benchmark::State& state) {
    const auto texts = generated_texts();
    tree::BracketReader reader;
    tree::TreeText tree;
    for (auto _ : state) {
        for (const auto& text : texts) {
            benchmark::DoNotOptimize(reader.read(text, 0, tree));
        }
    }
    count_trees(state, texts.size());
}

void build_generated(benchmark::State& state) {
    const auto texts = generated_texts();
    std::vector<tree::TreeText> trees;
    for (const auto& text : texts) {
        trees.push_back(test::tree_of(text));
    }
    for (auto _ : state) {
        tree::Forest forest;
        for (const auto& tree : trees) {
            benchmark::DoNotOptimize(forest.add(tree));
        }
    }
    count_trees(state, texts.size());
}

BENCHMARK(read_lines)->Unit(benchmark::kMillisecond);
BENCHMARK(read_and_parse)->Unit(benchmark::kMillisecond);
BENCHMARK(read_and_build_forest)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_generated)->Unit(benchmark::kMillisecond);
BENCHMARK(build_generated)->Unit(benchmark::kMillisecond);

}  // namespace
