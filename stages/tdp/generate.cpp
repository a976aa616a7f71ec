#include "tdp/generate.hpp"

#include <algorithm>
#include <memory>

#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/pipeline.hpp"
#include "common/outputs.hpp"
#include "corpus/grammar.hpp"

namespace treeline::tdp {

namespace {

/// Trees that share a stream of random numbers.
constexpr std::uint64_t kBlock = 4096;

void append_example(std::string& out, const corpus::Grammar& grammar, example::ExampleFormat format,
                    base::Random& random) {
    using enum example::ExampleFormat;
    const auto [kind, label] = grammar.draw_class(random);
    if (format != kTrees) {
        out += grammar.classes()[label].label;
        out += format == kSvmLightTk ? " |BT| " : "\t";
    }
    grammar.append_tree(out, kind, random);
    out += format == kSvmLightTk ? " |ET|\n" : "\n";
}

}  // namespace

stage::Summary generate(const GenerateOptions& options, const stage::CommonOptions& common,
                        base::ProgressObserver& progress) {
    const auto planned =
        stage::plan_work("tdp generate",
                         {{"count", stage::value_of(options.count)},
                          {"to", stage::value_of(example::kExampleFormatNames, options.format)},
                          {"seed", stage::value_of(common.seed)}},
                         common, {options.grammar});
    stage::Outputs outputs(planned, {{options.output, {}}}, common, progress);
    if (!outputs.begin()) {
        return {};
    }
    const corpus::Grammar grammar = corpus::read_grammar(options.grammar);
    const base::Random random(common.seed);
    base::AtomicFile file(options.output);
    progress.start("drawing trees", options.count);
    std::uint64_t begun = 0;
    std::uint64_t written = 0;
    const auto begin = [&] {
        return begun * kBlock < options.count ? std::make_shared<std::uint64_t>(begun++) : nullptr;
    };
    const auto draw = [&](std::uint64_t block) {
        base::Random own = random.fork(block);
        auto text = std::make_shared<std::string>();
        const std::uint64_t size = std::min(kBlock, options.count - block * kBlock);
        for (std::uint64_t i = 0; i < size; ++i) {
            append_example(*text, grammar, options.format, own);
        }
        return text;
    };
    const auto write = [&](const std::string& text) {
        file.write(text);
        written = std::min(written + kBlock, options.count);
        progress.update(written);
    };
    base::parallel_pipeline<std::uint64_t, std::string>(base::current_threads() * 2, begin, draw, write);
    progress.finish();
    file.commit();
    outputs.record({{"trees", stage::value_of(options.count)}});
    return {.in = 0, .out = options.count, .skipped = 0};
}

}  // namespace treeline::tdp
