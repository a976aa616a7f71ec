/// How fast lines come out of plain, gzip and zstd files, and short keys are hashed.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "base/digest.hpp"
#include "base/input.hpp"
#include "base/output.hpp"
#include "base/random.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace treeline::base;

/// Lines of 40 to 160 bytes in which words recur, 64 MB in all.
std::string sample_lines() {
    Random random(1);
    std::string text;
    while (text.size() < (std::size_t{64} << 20)) {
        const std::uint64_t words = 5 + random.below(15);
        for (std::uint64_t i = 0; i < words; ++i) {
            text += "(NP w" + std::to_string(random.below(3000)) + ')';
        }
        text += '\n';
    }
    return text;
}

void read_lines(benchmark::State& state, const char* name) {
    static const treeline::test::TemporaryFolder folder;
    static const std::string text = sample_lines();
    write_whole_file(folder / name, text);
    for (auto _ : state) {
        LineReader reader(folder / name);
        std::size_t bytes = 0;
        for (std::string_view line; reader.next(line);) {
            bytes += line.size();
        }
        benchmark::DoNotOptimize(bytes);
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void hash_short_keys(benchmark::State& state) {
    std::vector<std::string> keys;
    for (int i = 0; i < 1000; ++i) {
        keys.push_back("label-" + std::to_string(i));
    }
    for (auto _ : state) {
        std::uint64_t sum = 0;
        for (const std::string& key : keys) {
            sum += hash64(key);
        }
        benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(keys.size()));
}

BENCHMARK_CAPTURE(read_lines, plain, "lines")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_lines, gzip, "lines.gz")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_lines, zstd, "lines.zst")->Unit(benchmark::kMillisecond);
BENCHMARK(hash_short_keys);

}  // namespace
