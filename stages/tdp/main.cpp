#include "tdp/generate.hpp"

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
        common, {kThreads, kSeed, kForce});
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

    return stage.run(argc, argv, [&](base::ProgressObserver& progress) { return work(progress); });
}
