#include "tdp/srl.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "corpus/propbank.hpp"
#include "corpus/proposition.hpp"
#include "tdp/split_folder.hpp"

namespace treeline::tdp {

namespace {

const std::string kAll = "all";

/// PropBank lines point into files below a folder that has no digest: such an output is never up to date.
base::Plan plan(const SrlOptions& options, const stage::CommonOptions& common) {
    std::vector<std::string> inputs{options.input};
    for (const std::string& more : {options.splits, options.trees}) {
        if (!more.empty()) {
            inputs.push_back(more);
        }
    }
    const auto& arguments = options.arguments;
    return stage::plan_work(
        "tdp srl",
        {{"structure", stage::value_of(corpus::kArgumentStructureNames, arguments.structure)},
         {"predicates", fmt::format("{}", fmt::join(arguments.predicates, ","))},
         {"without", fmt::format("{}", fmt::join(arguments.without, ","))},
         {"prune", arguments.prune},
         {"keep-traces", options.keep_traces},
         {"keep-functions", options.keep_functions},
         {"compression", options.compression}},
        common, inputs);
}

std::unique_ptr<corpus::SentenceReader> open(const SrlOptions& options, base::OnError on_error) {
    if (options.trees.empty()) {
        return std::make_unique<corpus::AnnotatedLineReader>(options.input, on_error);
    }
    corpus::Normalization normalization;
    normalization.strip_traces = !options.keep_traces;
    normalization.strip_functions = !options.keep_functions;
    return std::make_unique<corpus::PropBankReader>(options.input, options.trees, normalization, on_error);
}

}  // namespace

stage::Summary make_arguments(const SrlOptions& options, const stage::CommonOptions& common,
                              base::ProgressObserver& progress) {
    stage::Outputs outputs(plan(options, common), {{options.output, {}}}, common, progress);
    if (!outputs.begin()) {
        return {};
    }
    std::optional<SplitList> splits;
    if (!options.splits.empty()) {
        splits.emplace(options.splits);
    }
    const auto reader = open(options, common.on_error);
    base::BadRecords unlisted(common.on_error);
    corpus::ArgumentExamples examples(options.arguments);
    corpus::AnnotatedSentence sentence;
    corpus::SentenceTree tree;
    OutputFolder folder(options.output);
    stage::Summary summary;
    std::uint64_t sentences = 0;
    std::uint64_t propositions = 0;
    std::uint64_t arguments = 0;
    std::string line;
    progress.start("sentences", 0);
    while (reader->next(sentence)) {
        progress.update(++sentences);
        const std::string* split = splits ? splits->find(sentence.document) : &kAll;
        if (split == nullptr) {
            unlisted.refuse({reader->place(), "the document " + base::quoted(sentence.document) +
                                                  " is in no split; list it in '" + options.splits +
                                                  "', or leave it out with --on-error skip"});
            continue;
        }
        tree.assign(sentence.tree);
        auto& boundary_file = folder.file(*split + ".bc.dat" + options.compression);
        auto& role_file = folder.file(*split + ".rm.tsv" + options.compression);
        for (const auto& proposition : sentence.propositions) {
            if (!examples.wants(tree, proposition)) {
                continue;
            }
            ++propositions;
            examples.make(tree, proposition, [&](const corpus::ArgumentExample& example) {
                ++summary.out;
                arguments += example.is_argument ? 1 : 0;
                line.assign(example.is_argument ? "+1 |BT| " : "-1 |BT| ");
                boundary_file.write(line.append(example.tree).append(" |ET|\n"));
                if (!example.role.empty()) {
                    line.assign(example.role).append("\t");
                    role_file.write(line.append(example.tree).append("\n"));
                }
            });
        }
    }
    progress.finish();
    stage::tell_skipped(reader->bad_records(), progress);
    stage::tell_skipped(unlisted, progress);
    summary.in = sentences + reader->bad_records().skipped();
    summary.skipped = reader->bad_records().skipped() + unlisted.skipped();
    folder.commit(outputs, {{"sentences", stage::value_of(sentences)},
                            {"skipped", stage::value_of(summary.skipped)},
                            {"propositions", stage::value_of(propositions)},
                            {"examples", stage::value_of(summary.out)},
                            {"arguments", stage::value_of(arguments)}});
    return summary;
}

}  // namespace treeline::tdp
