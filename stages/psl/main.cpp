#include "common/stage.hpp"
#include "psl/psl.hpp"

using namespace treeline;
using polynomial::MarginKind;
using polynomial::OnlineUpdate;
using stage::Common;

int main(int argc, char** argv) {
    psl::Options options;
    auto& learner = options.learner;
    stage::Stage stage(
        {.name = "psl",
         .purpose = "Polynomial space learning: online passive-aggressive learning of a classifier over "
                    "conjunctions of\n"
                    "binary features, by the kernel k(x, y) = (x.y + 1)^d and kernel slicing.",
         .example = "psl --input a9a.svm --output model.psl --degree 3 --method sl -c 0.005 --iterations 10\n"
                    "psl --input vectors/train --binarize --top 2000 --output model.psl --shuffle",
         .reads = "SVM-light or LIBSVM lines LABEL INDEX:1 INDEX:1 ..., indices ascending; any words as "
                  "labels; plain,\n"
                  "gzip or zstd; or vectors of tfx, an Arrow file or a folder of them, with --binarize",
         .writes = "the model: support vectors and coefficients, as text; and MODEL.manifest.json"},
        options.common, {Common::kMemory, Common::kSeed, Common::kForce, Common::kOnError});
    CLI::App& app = stage.app();
    app.add_option("--input", options.input, "examples; - is stdin")->required()->type_name("PATH");
    app.add_option("--output", options.output, "model; - is stdout")->required()->type_name("FILE");
    app.add_option(
           "--conjunctions", options.conjunctions,
           "also write the weight of every conjunction: the weight (one a class if there are more than two), a "
           "tab, the feature indices")
        ->type_name("FILE");
    stage::add_count(app, "--degree", learner.margin.degree, "d: conjunctions of at most d features",
                     {.least = 1, .most = 4});
    stage::add_choice<MarginKind>(app, "--method", learner.margin.kind,
                                  stage::choices_of(polynomial::kMarginNames),
                                  "how margins are computed, with the same result: kernel inverted, kernel "
                                  "expansion, splitting, slicing");
    stage::add_count(app, "--explicit", learner.margin.explicit_features,
                     "sp, sl: explicit weights only for conjunctions among the N most frequent "
                     "features; 0: all of them, half as many whenever --memory is reached");
    stage::add_choice<OnlineUpdate>(
        app, "--update", learner.update, stage::choices_of(polynomial::kOnlineUpdateNames),
        "step tau for the loss l = max(0, 1 - margin): 1 at mistakes; l/n; min(C, l/n); l/(n + 1/(2C)). More "
        "than two classes: the margin over the strongest rival, 2 n");
    stage::add_choice<polynomial::StepNorm>(
        app, "--step-norm", learner.norm, stage::choices_of(polynomial::kStepNormNames),
        "n: k(x,x), or the number of features |x|, which makes nearly every step C (as opal does)");
    stage::add_number(app, "-c,--cost", learner.c, "C > 0", "C");
    stage::add_count(app, "--iterations", learner.iterations, "passes over the data");
    app.add_flag_callback(
        "--no-average", [&] { learner.average = false; },
        "the last weights instead of the mean of the weights after each example");
    app.add_flag("--shuffle", learner.shuffle, "another order of the examples in each pass, by --seed");
    app.add_option("--positive", learner.positive, "this label against all others")->type_name("LABEL");
    app.add_flag("--binarize", options.binarize, "take every non-zero value as 1 instead of refusing it");
    stage::add_count(app, "--top", options.top,
                     "vectors of tfx: of their fragments only the N most relevant; 0: all of them");
    app.add_option("--class", options.top_class, "--top by relevance for this class; needs --dictionary")
        ->type_name("LABEL");
    app.add_option("--dictionary", options.dictionary, "the dictionary of the vectors, for --class")
        ->type_name("FOLDER");
    return stage.run(argc, argv, [&](auto& progress) { return psl::run(options, progress); });
}
