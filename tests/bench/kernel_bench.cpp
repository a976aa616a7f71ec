/// Kernel values per second, normalized, lambda (and mu) 0.4: pair by pair (FTK), as rows in single
/// precision, and decision values of a weighted forest, on the first 100,000 boundary examples and on the
/// question parses. Items are kernel values, for decision_values trees. tests/bench/kernel_ratios prints how
/// they compare.

#include <benchmark/benchmark.h>

#include <cmath>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "example/example_set.hpp"
#include "kernel/example_rows.hpp"
#include "kernel/pairwise.hpp"
#include "kernel/tree_rows.hpp"
#include "kernel/weighted_forest.hpp"
#include "support/data.hpp"

namespace {

using namespace treeline;
using namespace treeline::kernel;

struct Data {
    tree::Forest forest;
    example::ExampleSet set;
    std::vector<std::uint32_t> all;

    Data(const std::string& name, std::uint64_t limit) {
        example::read_examples(test::data_file(name), {.records = {.limit = limit}}, forest, set);
        all.resize(set.size());
        std::iota(all.begin(), all.end(), 0U);
    }
    /// The i-th example of a walk that visits all parts of the data.
    [[nodiscard]] std::size_t pick(std::size_t i) const { return i * 7919 % set.size(); }
};

using Source = const Data& (*)();
const Data& boundaries() {
    static const Data data("srl/ewt.train.bc.dat.gz", 100'000);
    return data;
}
const Data& questions() {
    static const Data data("qc/qc_const_train.tsv.gz", 0);
    return data;
}

TreeKernel kernel_named(const char* name) {
    return std::get<TreeKernel>(parse_kernel(name).terms[0].factors[0]);
}

void pairwise_values(benchmark::State& state, Source source, const char* name) {
    constexpr std::size_t kTargets = 5000;
    const Data& data = source();
    const TreeKernel kernel = kernel_named(name);
    PairwiseEvaluator evaluator(data.forest, kernel);
    std::vector<PairwiseTree> trees(kTargets);
    std::vector<double> norms;
    for (std::size_t i = 0; i < kTargets; ++i) {
        evaluator.prepare(data.set.trees(data.pick(i))[0], trees[i]);
        norms.push_back(1 / std::sqrt(evaluator.value(trees[i], trees[i])));
    }
    std::vector<float> row(kTargets);
    std::size_t x = 0;
    for (auto _ : state) {
        x = (x + 1) % kTargets;
        for (std::size_t t = 0; t < kTargets; ++t) {
            row[t] = static_cast<float>(evaluator.value(trees[x], trees[t]) * norms[x] * norms[t]);
        }
        benchmark::DoNotOptimize(row.data());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kTargets));
}

/// Many rows at once, as the solvers' row cache and ksm ask for them.
void rows(benchmark::State& state, Source source, const char* name, std::size_t threads) {
    constexpr std::size_t kRows = 32;
    const Data& data = source();
    base::run_with_threads(threads, [&] {
        const ExampleRows<float> evaluator(parse_kernel(name), data.forest, data.set, data.all);
        std::size_t x = 0;
        for (auto _ : state) {
            base::parallel_pieces(kRows, 1, [&](std::size_t begin, std::size_t end) {
                std::vector<float> row(data.set.size());
                for (std::size_t i = begin; i < end; ++i) {
                    evaluator.row(data.set, data.pick(x + i), row);
                    benchmark::DoNotOptimize(row.data());
                }
            });
            x += kRows;
        }
    });
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows * data.set.size()));
}

void decision_values(benchmark::State& state, Source source, const char* name) {
    constexpr std::size_t kSupportVectors = 2000;
    constexpr std::size_t kTrees = 1000;
    const Data& data = source();
    const TreeKernel kernel = kernel_named(name);
    std::vector<tree::NodeId> roots;
    std::vector<double> coefficients;
    for (std::size_t i = 0; i < kSupportVectors; ++i) {
        roots.push_back(data.set.trees(data.pick(i))[0]);
        coefficients.push_back(i % 2 == 0 ? 1 : -1);
    }
    const WeightedForest weighted(data.forest, roots, coefficients, kernel);
    WeightedForest::Evaluator evaluator(weighted);
    std::size_t x = 0;
    for (auto _ : state) {
        double sum = 0;
        for (std::size_t i = 0; i < kTrees; ++i) {
            sum += evaluator.value(data.set.trees(x++ % data.set.size())[0]);
        }
        benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kTrees));
    state.counters["support_vectors"] = kSupportVectors;
}

void register_all() {
    const auto add = [](const std::string& name, auto&&... arguments) {
        return benchmark::RegisterBenchmark(name.c_str(), std::forward<decltype(arguments)>(arguments)...)
            ->Unit(benchmark::kMillisecond);
    };
    for (const auto& [data, source] :
         {std::pair("ewt", Source{boundaries}), std::pair("qc", Source{questions})}) {
        for (const char* kernel : {"sst", "ptk"}) {
            const std::string end = std::string("/") + kernel + "/" + data;
            add("pairwise" + end, pairwise_values, source, kernel);
            add("rows" + end, rows, source, kernel, std::size_t{1});
            add("decisions" + end, decision_values, source, kernel);
            for (const std::size_t threads : {1, 2}) {
                add("wall_rows_" + std::to_string(threads) + end, rows, source, kernel, threads)
                    ->UseRealTime();
            }
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (test::data_folder().empty()) {
        std::cerr << "kernel_bench: skipped: no data folder; set TREELINE_DATA\n";
        return 0;
    }
    benchmark::Initialize(&argc, argv);
    register_all();
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
