#include "common/stage.hpp"
#include "fpl/fpl.hpp"

using namespace treeline;

int main(int argc, char** argv) {
    using enum stage::Common;
    fpl::Options options;
    sparse::LearnerOptions& learner = options.learner;
    stage::Stage stage(
        {.name = "fpl",
         .purpose =
             "Fragment path learning: a sparse linear model over all fragments of a tree kernel's space, with proof.\n"
             "minimize ||w||_1 + R/2 ||w||_2^2 + C sum_i c_i loss(y_i (w.x_i + b)),  x_if = phi_f(t_i)/||t_i||\n"
             "Only fragments that the model needs are ever made: the others are shown to be of no use by branch and "
             "bound. The gap printed\n"
             "is a proof: no weights over any of the fragments have an objective below (1 - gap) times that of the model.",
         .example =
             "fpl --input train.dat --output sparse/ -c 1\n"
             "fpl --input train.dat --output sparse/ --search\n"
             "esc --model sparse/model.linear --dictionary sparse/dict --trees test.dat --metrics metrics.json",
         .reads =
             "examples, `LABEL |BT| tree |ET| i:v ... |EV|` or `LABEL<TAB>tree`; plain or compressed, - is stdin",
         .writes =
             "a folder: dict, a fragment dictionary (fdi, tfx), whose relevances are the weights; model.linear, a linear "
             "model over it (esc);\n"
             "manifest.json, with the certificate; of a path also path.json and path.html, which shows it. SIGINT and SIGTERM keep the best model so far, marked with its gap"},
        options.common, {kThreads, kMemory, kSeed, kForce, kOnError, kReading});
    CLI::App& app = stage.app();
    app.add_option("--input", options.input, "examples; - is stdin")->required()->type_name("FILE");
    app.add_option("--output", options.output, "folder to make")->required()->type_name("FOLDER");
    stage::add_count(app, "--limit", options.limit, "read only the first N examples; 0 = all");
    app.add_option("--kernel", options.kernel,
                   "tree kernel whose fragments are the features: st sst st-bow sst-bow ptk uptk with "
                   "(lambda=0.4,mu=0.4,norm=none,pairs=all) as they apply")
        ->type_name("KERNEL");
    stage::add_choice(app, "--vectors", options.vectors, stage::choices_of(fragment::kFlatFeaturesNames),
                      "flat features of the examples: left out, kept, or divided by their length");
    const CLI::Option* cost = stage::add_number(
        app, "-c,--cost", learner.c,
        "C > 0: cost of errors; with --path, --search or --max-fragments the largest, 10,000 times "
        "the first unless given",
        "C");
    stage::add_number(app, "-j,--cost-factor", options.cost_factor,
                      "errors on positive examples cost so many times more")
        ->type_name("J");
    stage::add_number(app, "--l2", learner.l2, "R: factor of ||w||_2^2 / 2 (elastic net)", "R");
    stage::add_choice(
        app, "--class-bias", options.class_bias, stage::choices_of(sparse::kClassBiasNames),
        "b of each of several classes, which decides where a tree has no fragment of the model: by the training examples "
        "without the fragments that each alone has, or that of the optimum, which the gap is about; manifest.json has the latter in any case");
    stage::add_choice(app, "--loss", learner.loss, stage::choices_of(linear::kSparseLossNames),
                      "of m = y f(x): max(0, 1 - m)^2, or log(1 + exp(-m)), which gives probabilities");
    stage::add_number(app, "--gap", learner.gap,
                      "enough when (objective - its proven lower bound) / objective is at most this")
        ->type_name("G");
    stage::add_count(
        app, "--path", options.path.steps,
        "learn for N values of C in equal ratios from the first that gives a feature a weight, keep the last");
    app.add_flag(
        "--search", options.path.search,
        "keep the model of the best C on --dev, or by cross-validation: F1 where the labels are +1 and -1, else "
        "accuracy; ends some way beyond the best C, of 21 values up to 100,000 times the first unless --path says");
    stage::add_count(app, "--max-fragments", options.path.max_fragments,
                     "end the path before a model with more features than N");
    app.add_option("--dev", options.dev, "examples that --path and --search judge by")->type_name("FILE");
    stage::add_count(app, "--folds", options.path.folds, "of the cross-validation");
    stage::add_choice(
        app, "--splitting", options.path.splitting, stage::choices_of(evaluate::kSplittingNames),
        "how examples are dealt to the folds: shuffled, shuffled within each class, or contiguous, which keeps "
        "those of one text together");
    app.add_option("--label-until", options.label_until,
                   "labels end before TEXT: with ':' the label NUM:date is NUM")
        ->type_name("TEXT");
    return stage.run(argc, argv, [&](auto& progress) {
        if (cost->count() > 0) {
            options.path.last = learner.c;
        }
        options.path.seed = options.common.seed;
        return fpl::run(options, progress);
    });
}
