#include "common/stage.hpp"
#include "esc/esc.hpp"

using namespace treeline;
using esc::Format;
using stage::Common;

int main(int argc, char** argv) {
    esc::Options options;
    stage::Stage stage(
        {.name = "esc",
         .purpose = "Explicit space classification: labels and decision values by a linear model, with the "
                    "fragments that\n"
                    "made each decision.",
         .example =
             "esc --model model.linear --input vectors/test --output predictions.tsv --metrics metrics.json\n"
             "esc --model model.linear --dictionary dict/ --trees test.dat --explain 5\n"
             "esc --model model.linear --dictionary dict/ --trees test.dat --explain 10 --format site --output why/",
         .reads = "a linear model (esl, or LIBLINEAR itself) and vectors (tfx); or the dictionary and "
                  "examples, which are then\n"
                  "matched and scored without files in between, line by line from a pipe",
         .writes =
             "predictions: a heading, then a line an example: its number (from 0), gold label, predicted label, "
             "decision value\n"
             "(one a class where there are more than two), probabilities; or explanations. Metrics as JSON"},
        options.common, {Common::kThreads, Common::kForce, Common::kOnError, Common::kReading});
    CLI::App& app = stage.app();
    app.add_option("--model", options.model, "linear model")->required()->type_name("FILE");
    app.add_option("--input", options.input, "vectors")->type_name("PATH");
    app.add_option("--dictionary", options.dictionary,
                   "dictionary that the model was made with; with --input it only names the fragments")
        ->type_name("FOLDER");
    app.add_option("--trees", options.trees, "examples; - is stdin")->type_name("FILE");
    app.add_option("--output", options.output, "predictions, or explanations; - is stdout")
        ->type_name("PATH");
    app.add_option("--metrics", options.metrics, "accuracy, precision, recall, F1 and confusion as JSON")
        ->type_name("FILE");
    app.add_flag("--probabilities", options.probabilities, "also probabilities (logistic models)");
    stage::add_count(
        app, "--explain", options.explain,
        "instead of predictions: an example's K features of largest |weight * value|, the others "
        "summed, the bias; they add up to the decision value of the predicted class (of the positive one where there are two)")
        ->type_name("K");
    stage::add_choice<Format>(
        app, "--format", options.format, stage::choices_of(esc::kFormatNames),
        "predictions: tsv (auto) or an Arrow file; explanations: text for people (auto), a line of "
        "JSON an example, one html page with the trees drawn, a site (a folder: confusions, causes of errors, pages of bounded "
        "size), or an svg file a tree in a folder");
    esc::Selection& wanted = options.selection;
    app.add_flag("--errors", wanted.errors, "explain only examples whose label is not the gold one");
    app.add_option("--gold", wanted.gold, "explain only examples of this class")->type_name("LABEL");
    app.add_option("--predicted", wanted.predicted, "explain only examples that were given this class")
        ->type_name("LABEL");
    stage::add_count(app, "--ids", wanted.ids, "explain only these examples, numbered from 0");
    stage::add_number(app, "--margin", wanted.margin,
                      "explain only examples where the predicted class is ahead of the next by at most this");
    stage::add_choice<esc::Order>(
        app, "--order", wanted.order, stage::choices_of(esc::kOrderNames),
        "of explanations: as the input, or the worst errors first, the surest hits last");
    stage::add_count(app, "--count", wanted.count, "explanations at most; 0 = all");
    app.add_option("--label-until", options.label_until,
                   "labels of --trees end before TEXT, as in fsl and tfx")
        ->type_name("TEXT");
    stage::add_count(app, "--limit", options.limit, "read only the first N examples of --trees; 0 = all");
    return stage.run(argc, argv, [&](auto& progress) { return esc::run(options, progress); });
}
