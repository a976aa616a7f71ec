#include "common/stage.hpp"
#include "tfx/tfx.hpp"

using namespace treeline;
using fragment::FlatFeatures;
using fragment::VectorNorm;
using stage::Common;

int main(int argc, char** argv) {
    tfx::Options options;
    stage::Stage stage(
        {.name = "tfx",
         .purpose = "Tree fragment extraction: trees as explicit sparse vectors over the fragments of a "
                    "dictionary.\n"
                    "The value of fragment f is count_f(t) * lambda^(s(f)/2) / ||t||, s(f) its number of "
                    "productions.",
         .example = "tfx --dictionary dict/ --input train.dat --output vectors/train --shards 4",
         .reads =
             "a fragment dictionary (fmi) and examples with trees: SVM-light-TK lines or LABEL<TAB>tree; plain, "
             "gzip or zstd",
         .writes = "a folder of Arrow IPC files part-00000-of-00004.arrow, ... with the columns id, label, "
                   "indices, values;\n"
                   "example i (from 0) is in part i mod N; manifests, and _SUCCESS once all parts are there. "
                   "Parts that are\n"
                   "there and were made in the same way are not made again"},
        options.common,
        {Common::kThreads, Common::kMemory, Common::kForce, Common::kOnError, Common::kReading});
    CLI::App& app = stage.app();
    app.add_option("--dictionary", options.dictionary, "fragment dictionary")
        ->required()
        ->type_name("FOLDER");
    app.add_option("--input", options.input, "examples; - is stdin")->required()->type_name("FILE");
    app.add_option("--output", options.output, "folder for the vectors")->required()->type_name("FOLDER");
    auto* shards = stage::add_count(app, "--shards", options.shards, "number of parts");
    app.add_option("--shard", options.shard,
                   "make only part I of N, I from 1: so that N machines share the work")
        ->type_name("I/N")
        ->excludes(shards);
    stage::add_choice<tfx::Format>(app, "--format", options.format, stage::choices_of(tfx::kFormatNames),
                                   "Arrow IPC files, or LIBSVM text (indices from 1) named part-*.svm");
    stage::add_choice<VectorNorm>(
        app, "--norm", options.vectorizer.norm, stage::choices_of(fragment::kVectorNormNames),
        "||t||: sqrt(K(t,t)) if the kernel is normalized; the length of the vector itself; 1");
    stage::add_choice<FlatFeatures>(
        app, "--vectors", options.vectorizer.vectors, stage::choices_of(fragment::kFlatFeaturesNames),
        "flat features of an example, at the indices after the fragments: left out, as they are, or "
        "divided by their length");
    stage::add_choice<store::LabelColumn>(app, "--labels", options.writer.labels,
                                          stage::choices_of(store::kLabelColumnNames),
                                          "type of the column label: dictionary<string> or float64");
    app.add_option(
           "--label-numbers", options.label_numbers,
           "libsvm: file NUMBER<TAB>LABEL with the number of each label; where it is not there, it is made from "
           "the labels of --input. Give the same one for training and test data. Without it labels must be "
           "numbers")
        ->type_name("FILE");
    app.add_option("--label-until", options.label_until, "labels end before TEXT, as in fsl")
        ->type_name("TEXT");
    app.add_flag("--costs", options.writer.weights,
                 "also the column weight: float64 with the costs of the examples (cost:2.5), which esl uses");
    stage::add_choice<bool>(app, "--compress", options.writer.compress, {{"none", false}, {"zst", true}},
                            "zst: zstd inside the Arrow files");
    stage::add_count(app, "--limit", options.limit, "read only the first N examples; 0 = all");
    return stage.run(argc, argv, [&](auto& progress) { return tfx::run(options, progress); });
}
