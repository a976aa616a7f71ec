#include "common/stage.hpp"
#include "tdp/generate.hpp"
#include "tdp/srl.hpp"

using namespace treeline;

int main(int argc, char** argv) {
    using enum stage::Common;
    stage::CommonOptions common;
    stage::Stage stage(
        {.name = "tdp",
         .purpose = "Tree data preparation. 'tdp COMMAND --help' explains a command.",
         .example = "tdp generate --grammar data/questions.grammar --count 2000 --seed 1 --output train.tsv",
         .reads = "what the command says; plain, gzip or zstd, - is stdin",
         .writes = "what the command says; names that end in .gz or .zst are compressed, - is stdout"},
        common, {kThreads, kSeed, kForce, kOnError});
    stage.app().require_subcommand(1);
    stage::Stage::Work work;

    tdp::GenerateOptions generating;
    CLI::App* generate = stage.app().add_subcommand("generate", "labelled trees drawn from a grammar");
    generate->footer(
        "Example:\n"
        "  tdp generate --grammar data/questions.grammar --count 2000 --seed 1 --output train.tsv\n"
        "Reads a weighted grammar (data/README.md describes its text). The first trees of a seed are the\n"
        "same for every --count and any --threads.");
    generate->add_option("--grammar", generating.grammar, "the grammar")->required()->type_name("FILE");
    generate->add_option("--count", generating.count, "trees to draw")->type_name("N");
    generate->add_option("--output", generating.output, "examples; - is stdout")->type_name("FILE");
    using Format = tdp::GenerateOptions::Format;
    stage::add_choice(*generate, "--to", generating.format,
                      {{"label-tab-tree", Format::kLabelTabTree},
                       {"svmlight-tk", Format::kSvmLightTk},
                       {"trees", Format::kTrees}},
                      "format of the examples; trees have no labels");
    generate->callback(
        [&] { work = [&](auto& progress) { return tdp::generate(generating, common, progress); }; });

    tdp::SrlOptions arguments;
    CLI::App* srl = stage.app().add_subcommand("srl", "predicate-argument examples from annotated trees");
    srl->footer(
        "Example:\n"
        "  tdp srl --input srl.tsv.gz --splits split.tsv --structure ast-m --predicates VB --output ewt/\n"
        "  tdp srl --input prop.txt --trees treebank/ --splits sections.tsv --output wsj/\n"
        "Reads lines document<TAB>number<TAB>tree<TAB>propositions, each proposition "
        "word:roleset:ROLE,begin,end;...\n"
        "with words counted from 0, end exclusive; or with --trees PropBank's lines FILE SENTENCE TERMINAL "
        "... and\n"
        "the .mrg files they name. --splits has lines document<TAB>split; a document that ends in * stands "
        "for all\n"
        "that start so.\n"
        "Writes for each split boundary examples SPLIT.bc.dat (+1: the candidate is an argument) and role "
        "examples\n"
        "SPLIT.rm.tsv (A0..A5).");
    srl->add_option("--input", arguments.input, "annotated sentences; - is stdin")
        ->required()
        ->type_name("FILE");
    srl->add_option("--trees", arguments.trees, "folder of the treebank; then --input has PropBank lines")
        ->type_name("FOLDER");
    srl->add_flag("--keep-traces", arguments.keep_traces, "with --trees: keep -NONE- and what is below");
    srl->add_flag("--keep-functions", arguments.keep_functions, "with --trees: keep NP-SBJ as it is");
    srl->add_option("--splits", arguments.splits,
                    "which document is in which split; without it all are in 'all'")
        ->type_name("FILE");
    srl->add_option("--output", arguments.output, "folder")->required()->type_name("FOLDER");
    using data::ArgumentStructure;
    stage::add_choice(
        *srl, "--structure", arguments.arguments.structure,
        {{"ast-1", ArgumentStructure::kAst1},
         {"ast-m", ArgumentStructure::kAstM},
         {"sentence", ArgumentStructure::kSentence}},
        "ast-1: paths from the lowest common ancestor to predicate and candidate, and the "
        "candidate's subtree; ast-m: with their labels marked -P and -B; sentence: the whole tree, marked");
    srl->add_option("--predicates", arguments.arguments.predicates,
                    "starts of the parts of speech of predicates, separated by commas")
        ->delimiter(',');
    srl->add_option("--without", arguments.arguments.without, "rolesets to leave out; be.* is all of be")
        ->delimiter(',');
    srl->add_flag("--prune", arguments.arguments.prune, "only the candidates of Xue & Palmer (2004)");
    stage::add_choice<std::string>(*srl, "--compress", arguments.compression,
                                   {{"none", ""}, {"gz", ".gz"}, {"zst", ".zst"}}, "of the outputs");
    srl->callback(
        [&] { work = [&](auto& progress) { return tdp::make_arguments(arguments, common, progress); }; });

    return stage.run(argc, argv, [&](base::ProgressObserver& progress) { return work(progress); });
}
