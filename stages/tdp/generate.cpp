#include "tdp/generate.hpp"

#include <tbb/parallel_pipeline.h>

#include <algorithm>
#include <memory>

#include "base/output.hpp"
#include "base/parallel.hpp"
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
    using Text = std::shared_ptr<std::string>;
    tbb::parallel_pipeline(
        base::current_threads() * 2,
        tbb::make_filter<void, std::uint64_t>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control&
                                                                                         control) {
            if (begun * kBlock >= options.count) {
                control.stop();
            }
            return begun++;
        }) & tbb::make_filter<std::uint64_t, Text>(tbb::filter_mode::parallel, [&](std::uint64_t block) {
            base::Random own = random.fork(block);
            auto text = std::make_shared<std::string>();
            const std::uint64_t size = std::min(kBlock, options.count - block * kBlock);
            for (std::uint64_t i = 0; i < size; ++i) {
                append_example(*text, grammar, options.format, own);
            }
            return text;
        }) & tbb::make_filter<Text, void>(tbb::filter_mode::serial_in_order, [&](const Text& text) {
            file.write(*text);
            written = std::min(written + kBlock, options.count);
            progress.update(written);
        }));
    progress.finish();
    file.commit();
    outputs.record({{"trees", stage::value_of(options.count)}});
    return {.in = 0, .out = options.count, .skipped = 0};
}

}  // namespace treeline::tdp
