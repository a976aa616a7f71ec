#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "common/stage.hpp"
#include "tdp/check.hpp"
#include "tdp/convert.hpp"
#include "tdp/dependency.hpp"
#include "tdp/generate.hpp"
#include "tdp/sample.hpp"
#include "tdp/split.hpp"
#include "tdp/srl.hpp"

using namespace treeline;

namespace {

/// What every command has: its app, and where to put its work.
struct Command {
    stage::Stage& stage;
    stage::CommonOptions& common;
    stage::Stage::Work& work;

    CLI::App& add(const char* name, const char* purpose, const char* footer,
                  const stage::Stage::Work& run) const {
        CLI::App* app = stage.app().add_subcommand(name, purpose);
        app->footer(footer);
        app->callback([this, run] { work = run; });
        return *app;
    }
};

void add_input(CLI::App& app, std::string& input, const char* description = "examples; - is stdin") {
    app.add_option("--input", input, description)->required()->type_name("FILE");
}

void add_output(CLI::App& app, std::string& output, const char* description = "examples; - is stdout") {
    app.add_option("--output", output, description)->type_name("FILE");
}

void add_folder(CLI::App& app, std::string& output) {
    app.add_option("--output", output, "folder")->required()->type_name("FOLDER");
}

void add_format(CLI::App& app, const char* name, example::ExampleFormat& format, const char* description) {
    auto formats = stage::choices_of(example::kExampleFormatNames);
    if (format != example::ExampleFormat::kAuto) {
        std::erase_if(formats,
                      [](const auto& choice) { return choice.second == example::ExampleFormat::kAuto; });
    }
    stage::add_choice(app, name, format, std::move(formats), description);
}

void add_leaves(CLI::App& app, tree::LeafStyle& leaves) {
    stage::add_choice(app, "--leaves", leaves, stage::choices_of(tree::kLeafStyleNames),
                      "(NN cat), (NN (cat)) or, without spaces, (NN(cat))");
}

void add_compression(CLI::App& app, std::string& ending) {
    stage::add_choice<std::string>(app, "--compress", ending, {{"none", ""}, {"gz", ".gz"}, {"zst", ".zst"}},
                                   "of the outputs");
}

void add_normalization(CLI::App& app, corpus::Normalization& normalization) {
    app.add_flag("--strip-functions", normalization.strip_functions, "NP-SBJ-1 and NP=2 become NP");
    app.add_flag("--strip-traces", normalization.strip_traces,
                 "take out -NONE- with what is below, and nodes that are left without words");
    app.add_flag("--lower-words", normalization.lower_words, "words (the leaves) in lower case");
    app.add_flag("--drop-words", normalization.drop_words, "parts of speech become the leaves");
    stage::add_choice(app, "--unary", normalization.unary, stage::choices_of(corpus::kUnaryNames),
                      "a chain of phrases with one child each: (S (VP ...)) stays, or becomes S+VP, S or VP");
    stage::add_choice(app, "--brackets", normalization.brackets, stage::choices_of(corpus::kBracketsNames),
                      "in words: as they are, as -LRB- and the like, or those as brackets");
}

void bind_convert(const Command& command, tdp::ConvertOptions& options) {
    CLI::App& app = command.add(
        "convert", "examples from one format to another",
        "Example:\n"
        "  tdp convert --input file.mrg --from ptb --to svmlight-tk --output out.dat\n"
        "  tdp convert --input wsj.mrg.gz --from ptb --to trees --strip-functions --strip-traces --output "
        "wsj.txt\n"
        "  tdp convert --input train.klp --from kelp --to label-tab-tree --tree 1 --output train.tsv\n"
        "Formats:\n"
        "  ptb             trees of the Penn Treebank, over any number of lines; written ( (S ...) ), one a "
        "line\n"
        "  trees           one tree a line\n"
        "  svmlight-tk     LABEL |BT| tree |BT| tree |ET| i:v ... |BV| i:v ... |EV|\n"
        "  label-tab-tree  LABEL<TAB>tree\n"
        "  kelp            label |BT:name| tree |ET| |BV:name| feature:value ... |EV|; |BS:name| strings are "
        "left out\n"
        "  libsvm          LABEL i:v ...\n"
        "What the format to write has no place for is left out and counted.",
        [&](auto& progress) { return tdp::convert(options, command.common, progress); });
    add_input(app, options.input);
    stage::bind_common(app, command.common, {stage::Common::kReading});
    add_format(app, "--to", options.writer.format, "format to write");
    add_output(app, options.output);
    add_leaves(app, options.writer.leaves);
    app.add_option("--label", options.writer.label, "label of examples that have none")->type_name("LABEL");
    stage::add_count(app, "--tree", options.writer.tree, "keep only the N-th tree of an example; 0 = all");
    stage::add_count(app, "--vector", options.writer.vector,
                     "keep only the N-th vector of an example; 0 = all");
    app.add_option("--names", options.names,
                   "number the features of kelp lines by their names and write lines number<TAB>name here")
        ->type_name("FILE");
    add_normalization(app, options.normalization);
}

void bind_dependency(const Command& command, tdp::DependencyRunOptions& options) {
    CLI::App& app = command.add(
        "dependency", "trees from dependency parses (CoNLL-U)",
        "Example:\n"
        "  tdp dependency --input questions.conllu --structure grct --output questions.trees\n"
        "  tdp dependency --input questions.conllu --structure lct --pos xpos --label-key class --to "
        "svmlight-tk\n"
        "Structures (Croce, Moschitti & Basili 2011), dependents in sentence order:\n"
        "  grct   (REL left dependents (POS word) right dependents)\n"
        "  lct    (word dependents POS REL)\n"
        "  loct   (word dependents)\n"
        "  plain  (REL left dependents word right dependents)\n"
        "The basic tree of the syntactic words is taken: lines of multi-word tokens (1-2) and of empty nodes "
        "(3.1) are\n"
        "passed over. Several roots stand under a node ROOT.",
        [&](auto& progress) { return tdp::make_dependency_trees(options, command.common, progress); });
    auto& trees = options.trees;
    add_input(app, options.input, "CoNLL-U; - is stdin");
    stage::add_choice(app, "--structure", trees.structure,
                      stage::choices_of(corpus::kDependencyStructureNames), "see below");
    stage::add_choice(app, "--word", trees.word, stage::choices_of(corpus::kWordNames),
                      "what stands for a word; the form where there is no lemma");
    stage::add_choice(app, "--pos", trees.pos, stage::choices_of(corpus::kPosNames),
                      "part of speech, universal or the treebank's own; none leaves it out");
    stage::add_choice(app, "--relation", trees.relation, stage::choices_of(corpus::kRelationNames),
                      "universal: nmod of nmod:poss");
    app.add_flag("--lower", trees.lower, "words in lower case");
    app.add_flag("--kelp-labels", trees.kelp_labels,
                 "SYNT##nsubj, POS##NN and LEX##cat::n instead of nsubj, NN, cat");
    app.add_flag("--drop-punctuation", trees.drop_punctuation,
                 "without words of UPOS PUNCT; what depends on one goes to its head");
    app.add_option("--label-key", options.label_key, "take labels from comments '# KEY = LABEL'")
        ->type_name("KEY");
    add_format(app, "--to", options.writer.format, "format to write, as in convert");
    add_leaves(app, options.writer.leaves);
    add_output(app, options.output);
}

void bind_srl(const Command& command, tdp::SrlOptions& options) {
    CLI::App& app = command.add(
        "srl", "predicate-argument examples from annotated trees",
        "Example:\n"
        "  tdp srl --input srl.tsv.gz --splits split.tsv --structure ast-m --predicates VB --output ewt/\n"
        "  tdp srl --input prop.txt --treebank treebank/ --splits sections.tsv --output wsj/\n"
        "Reads lines document<TAB>number<TAB>tree<TAB>propositions, each proposition "
        "word:roleset:ROLE,begin,end;...\n"
        "with words counted from 0, end exclusive; or with --treebank PropBank's lines FILE SENTENCE TERMINAL "
        "... and\n"
        "the .mrg files they name. --splits has lines document<TAB>split; a document that ends in * stands "
        "for all\n"
        "that start so.\n"
        "Writes for each split boundary examples SPLIT.bc.dat (+1: the candidate is an argument) and role "
        "examples\n"
        "SPLIT.rm.tsv (A0..A5).",
        [&](auto& progress) { return tdp::make_arguments(options, command.common, progress); });
    auto& arguments = options.arguments;
    add_input(app, options.input, "annotated sentences; - is stdin");
    app.add_option("--treebank", options.trees, "folder of the treebank; then --input has PropBank lines")
        ->type_name("FOLDER");
    app.add_flag("--keep-traces", options.keep_traces, "with --treebank: keep -NONE- and what is below");
    app.add_flag("--keep-functions", options.keep_functions, "with --treebank: keep NP-SBJ as it is");
    app.add_option("--splits", options.splits,
                   "which document is in which split; without it all are in 'all'")
        ->type_name("FILE");
    add_folder(app, options.output);
    stage::add_choice(
        app, "--structure", arguments.structure, stage::choices_of(corpus::kArgumentStructureNames),
        "ast-1: paths from the lowest common ancestor to predicate and candidate, and the candidate's "
        "subtree; ast-m: with their labels marked -P and -B; sentence: the whole tree, marked");
    app.add_option("--predicates", arguments.predicates,
                   "starts of the parts of speech of predicates, separated by commas")
        ->type_name("POS,...")
        ->delimiter(',');
    app.add_option("--without", arguments.without, "rolesets to leave out; be.* is all of be")
        ->type_name("ROLESET,...")
        ->delimiter(',');
    app.add_flag("--prune", arguments.prune, "only the candidates of Xue & Palmer (2004)");
    add_compression(app, options.compression);
}

void bind_generate(const Command& command, tdp::GenerateOptions& options) {
    CLI::App& app = command.add(
        "generate", "labelled trees drawn from a grammar",
        "Example:\n"
        "  tdp generate --grammar data/questions.grammar --count 2000 --seed 1 --output train.tsv\n"
        "Reads a weighted grammar (data/README.md describes its text). The first trees of a seed are the\n"
        "same for every --count and any --threads.",
        [&](auto& progress) { return tdp::generate(options, command.common, progress); });
    app.add_option("--grammar", options.grammar, "the grammar")->required()->type_name("FILE");
    stage::add_count(app, "--count", options.count, "trees to draw");
    add_output(app, options.output);
    stage::add_choice(app, "--to", options.format,
                      stage::choices_of(example::kExampleFormatNames, {example::ExampleFormat::kLabelTabTree,
                                                                       example::ExampleFormat::kSvmLightTk,
                                                                       example::ExampleFormat::kTrees}),
                      "format of the examples; trees have no labels");
}

void bind_check(const Command& command, tdp::CheckOptions& options) {
    CLI::App& app =
        command.add("check", "what a file of examples is like, and what is wrong with it",
                    "Example:\n"
                    "  tdp check --input train.dat\n"
                    "Reads all examples and prints, on stdout, their number, those that cannot "
                    "be read, classes, sizes and levels of\n"
                    "trees with histograms, duplicates, and equal examples with different "
                    "labels. The exit code is 3 if some cannot\n"
                    "be read.",
                    [&](auto& progress) { return tdp::check(options, command.common, std::cout, progress); });
    add_input(app, options.input);
    stage::bind_common(app, command.common, {stage::Common::kReading});
    app.add_flag("--json", options.json, "print JSON");
}

void bind_split(const Command& command, tdp::SplitOptions& options) {
    CLI::App& app = command.add(
        "split", "lines dealt to files at random, in proportion",
        "Example:\n"
        "  tdp split --input all.tsv --parts train=8,dev=1,test=1 --seed 7 --ending .tsv --output parts/\n"
        "  tdp split --input srl.tsv.gz --column 1 --parts train=9,test=1 --ending .tsv.gz --output parts/\n"
        "Writes PART files, each line in one of them, in order; with --column also splits.tsv, the list that "
        "tdp srl\n"
        "--splits reads. Each class is dealt by itself, so that all parts have the same balance.",
        [&](auto& progress) { return tdp::split(options, command.common, progress); });
    add_input(app, options.input, "examples, one a line; - is stdin");
    add_folder(app, options.output);
    app.add_option("--parts", options.parts, "names and weights, separated by commas")
        ->delimiter(',')
        ->type_name("NAME=WEIGHT");
    app.add_flag("--stratify,!--no-stratify", options.stratify, "deal each class by itself (the default)");
    stage::add_count(app, "--column", options.column,
                     "keep lines together that are equal in column N between tabs, such as a "
                     "document; then classes are not looked at");
    app.add_option("--ending", options.ending, "end of the names of files; .gz and .zst compress")
        ->type_name("TEXT");
}

void bind_sample(const Command& command, tdp::SampleOptions& options) {
    CLI::App& app =
        command.add("sample", "lines drawn at random",
                    "Example:\n"
                    "  tdp sample --input all.tsv.gz --count 10000 --seed 7 --output some.tsv\n"
                    "Lines keep their order. Give one of --count, --fraction and --per-class.",
                    [&](auto& progress) { return tdp::sample(options, command.common, progress); });
    add_input(app, options.input, "examples, one a line; - is stdin");
    add_output(app, options.output);
    stage::add_count(app, "--count", options.count, "lines to draw");
    stage::add_number(app, "--fraction", options.fraction, "chance of each line")->type_name("F");
    stage::add_count(app, "--per-class", options.per_class, "lines to draw of each class");
}

}  // namespace

int main(int argc, char** argv) {
    using enum stage::Common;
    stage::CommonOptions common;
    stage::Stage stage(
        {.name = "tdp",
         .purpose = "Tree data preparation. 'tdp COMMAND --help' explains a command.",
         .example = "tdp convert --input file.mrg --from ptb --to svmlight-tk --output out.dat\n"
                    "tdp generate --grammar data/questions.grammar --count 2000 --seed 1 --output train.tsv",
         .reads = "what the command says; plain or compressed (gzip, zstd, bzip2, xz), - is stdin",
         .writes = "what the command says; names that end in .gz or .zst are compressed, - is stdout"},
        common, {kThreads, kSeed, kForce, kOnError});
    stage.app().require_subcommand(1);
    stage::Stage::Work work;
    const Command command{stage, common, work};
    tdp::ConvertOptions converting;
    tdp::DependencyRunOptions dependencies;
    tdp::SrlOptions arguments;
    tdp::GenerateOptions generating;
    tdp::CheckOptions checking;
    tdp::SplitOptions splitting;
    tdp::SampleOptions sampling;
    bind_convert(command, converting);
    bind_dependency(command, dependencies);
    bind_srl(command, arguments);
    bind_generate(command, generating);
    bind_check(command, checking);
    bind_split(command, splitting);
    bind_sample(command, sampling);
    return stage.run(argc, argv, [&](base::ProgressObserver& progress) { return work(progress); });
}
