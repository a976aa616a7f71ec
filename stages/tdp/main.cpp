#include "common/stage.hpp"
#include "tdp/convert.hpp"
#include "tdp/generate.hpp"
#include "tdp/srl.hpp"

using namespace treeline;

namespace {

CLI::Option* add_format(CLI::App& app, const char* name, data::DataFormat& format, const char* description) {
    using enum data::DataFormat;
    std::vector<std::pair<std::string, data::DataFormat>> formats{{"ptb", kTreebank},
                                                                  {"trees", kTrees},
                                                                  {"svmlight-tk", kSvmLightTk},
                                                                  {"label-tab-tree", kLabelTabTree},
                                                                  {"kelp", kKelp},
                                                                  {"libsvm", kLibsvm}};
    if (format == kAuto) {
        formats.insert(formats.begin(), {"auto", kAuto});
    }
    return stage::add_choice(app, name, format, std::move(formats), description);
}

void add_normalization(CLI::App& app, data::Normalization& normalization) {
    using Unary = data::Normalization::Unary;
    using Brackets = data::Normalization::Brackets;
    app.add_flag("--strip-functions", normalization.strip_functions, "NP-SBJ-1 and NP=2 become NP");
    app.add_flag("--strip-traces", normalization.strip_traces,
                 "take out -NONE- with what is below, and nodes that are left without words");
    app.add_flag("--lower-words", normalization.lower_words, "words (the leaves) in lower case");
    app.add_flag("--drop-words", normalization.drop_words, "parts of speech become the leaves");
    stage::add_choice(
        app, "--unary", normalization.unary,
        {{"keep", Unary::kKeep}, {"join", Unary::kJoin}, {"top", Unary::kTop}, {"bottom", Unary::kBottom}},
        "a chain of phrases with one child each: (S (VP ...)) stays, or becomes S+VP, S or VP");
    stage::add_choice(
        app, "--brackets", normalization.brackets,
        {{"keep", Brackets::kKeep}, {"escape", Brackets::kEscape}, {"unescape", Brackets::kUnescape}},
        "in words: as they are, as -LRB- and the like, or those as brackets");
}

}  // namespace

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

    tdp::ConvertOptions converting;
    CLI::App* convert = stage.app().add_subcommand("convert", "examples from one format to another");
    convert->footer(
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
        "What the format to write has no place for is left out and counted.");
    convert->add_option("--input", converting.input, "examples; - is stdin")->required()->type_name("FILE");
    add_format(*convert, "--from", converting.from, "format to read; auto knows all but kelp");
    add_format(*convert, "--to", converting.writer.format, "format to write");
    convert->add_option("--output", converting.output, "examples; - is stdout")->type_name("FILE");
    using tree::LeafStyle;
    stage::add_choice(
        *convert, "--leaves", converting.writer.leaves,
        {{"bare", LeafStyle::kBare}, {"bracketed", LeafStyle::kBracketed}, {"compact", LeafStyle::kCompact}},
        "(NN cat), (NN (cat)) or, without spaces, (NN(cat))");
    convert->add_option("--label", converting.writer.label, "label of examples that have none")
        ->type_name("LABEL");
    convert->add_option("--tree", converting.writer.tree, "keep only the N-th tree of an example; 0 = all")
        ->type_name("N");
    convert
        ->add_option("--vector", converting.writer.vector, "keep only the N-th vector of an example; 0 = all")
        ->type_name("N");
    convert
        ->add_option("--names", converting.names,
                     "number the features of kelp lines by their names and write lines number<TAB>name here")
        ->type_name("FILE");
    add_normalization(*convert, converting.normalization);
    convert->callback(
        [&] { work = [&](auto& progress) { return tdp::convert(converting, common, progress); }; });

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
