#include "common/stage.hpp"
#include "psc/psc.hpp"

using namespace treeline;
using stage::Common;

int main(int argc, char** argv) {
    psc::Options options;
    stage::Stage stage(
        {.name = "psc",
         .purpose = "Polynomial space classification: labels examples with a model of psl, by kernel "
                    "splitting with\n"
                    "precomputed weights of conjunctions, and compares with the labels they have.",
         .example = "psc --model model.psl --input a9a.t --output predictions.tsv --metrics metrics.json",
         .reads = "a model of psl, and SVM-light or LIBSVM lines, plain or compressed, or vectors of tfx",
         .writes =
             "predictions: a heading, then a line an example: its number (from 0), gold label, predicted label, "
             "margin (one a\n"
             "class if there are more than two); metrics as JSON; with --explain the conjunctions that added\n"
             "most to the margin: example, predicted label, weight, feature indices or fragments (none: the constant part)"},
        options.common, {Common::kThreads, Common::kMemory, Common::kForce, Common::kOnError});
    CLI::App& app = stage.app();
    app.add_option("--model", options.model, "model of psl; - is stdin")->required()->type_name("FILE");
    app.add_option("--input", options.input, "examples; - is stdin")->required()->type_name("PATH");
    app.add_option("--output", options.output, "predictions; - is stdout")->type_name("FILE");
    stage::add_choice<store::PredictionFormat>(app, "--format", options.format,
                                               stage::choices_of(store::kPredictionFormatNames),
                                               "of predictions: tab-separated text, or an Arrow file");
    app.add_option("--metrics", options.metrics, "accuracy, precision, recall, F1 and confusion as JSON")
        ->type_name("FILE");
    stage::add_count(app, "--explain", options.explain,
                     "list the K conjunctions of each example that weigh most")
        ->type_name("K");
    app.add_option("--explanations", options.explanations, "file for what --explain lists; - is stdout")
        ->type_name("FILE");
    app.add_option("--dictionary", options.dictionary,
                   "of the vectors: explanations show its fragments, with & between them")
        ->type_name("FOLDER");
    app.add_flag("--binarize", options.binarize, "take every non-zero value as 1 instead of refusing it");
    return stage.run(argc, argv, [&](auto& progress) { return psc::run(options, progress); });
}
