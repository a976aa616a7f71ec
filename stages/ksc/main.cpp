#include "common/stage.hpp"
#include "ksc/ksc.hpp"

using namespace treeline;

int main(int argc, char** argv) {
    using enum stage::Common;
    ksc::Options options;
    stage::Stage stage(
        {.name = "ksc",
         .purpose = "Kernel space classification: labels examples with a kernel model and measures how well.",
         .example = "ksc --model model.svm --input test.dat --output predictions.tsv --metrics metrics.json",
         .reads = "a model of ksl or SVM-light-TK 1.5, or a folder of models (ksl for several classes, fsl); "
                  "examples",
         .writes =
             "predictions: a heading, then a line an example: its number (from 0), gold label, predicted label, then\n"
             "f(x) = sum alpha_i y_i K(x_i, x) - b, one per class where there are several (the largest wins); models\n"
             "of several splits are averaged; metrics as JSON"},
        options.common, {kThreads, kMemory, kForce, kOnError, kReading});
    stage.app().add_option("--model", options.model, "model file or folder")->required()->type_name("PATH");
    stage.app().add_option("--input", options.input, "examples; - is stdin")->required()->type_name("FILE");
    stage.app().add_option("--output", options.output, "predictions; - is stdout")->type_name("FILE");
    stage::add_choice<store::PredictionFormat>(stage.app(), "--format", options.format,
                                               stage::choices_of(store::kPredictionFormatNames),
                                               "of predictions: tab-separated text, or an Arrow file");
    stage.app()
        .add_option("--metrics", options.metrics, "accuracy, precision, recall, F1 and confusion as JSON")
        ->type_name("FILE");
    stage.app()
        .add_option("--label-until", options.label_until, "labels of the examples end before TEXT, as in ksl")
        ->type_name("TEXT");
    stage::add_count(stage.app(), "--limit", options.limit, "read only the first N examples; 0 = all");
    return stage.run(argc, argv, [&](auto& progress) { return ksc::run(options, progress); });
}
