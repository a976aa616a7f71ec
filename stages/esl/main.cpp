#include "common/stage.hpp"
#include "esl/esl.hpp"

using namespace treeline;
using stage::Common;

int main(int argc, char** argv) {
    esl::Options options;
    linear::LinearOptions& learner = options.learner;
    stage::Stage stage(
        {.name = "esl",
         .purpose = "Explicit space learning: a linear classifier over explicit vectors.",
         .example = "esl --input vectors/train --output model.linear --solver l2r-l2loss-svc -c 1\n"
                    "esl --input vectors/train --output model.linear --search --dev vectors/dev",
         .reads = "vectors (tfx): a folder of Arrow files, or one file; memory-mapped. More than --memory "
                  "holds is worked on\n"
                  "block by block (dual coordinate descent; Yu et al. 2010)",
         .writes =
             "the model in LIBLINEAR's text format, which liblinear-predict reads, and MODEL.manifest.json"},
        options.common, {Common::kThreads, Common::kMemory, Common::kSeed, Common::kForce});
    CLI::App& app = stage.app();
    app.add_option("--input", options.input, "vectors to learn from")->required()->type_name("PATH");
    app.add_option("--output", options.output, "model; - is stdout")->required()->type_name("FILE");
    std::vector<std::pair<std::string, linear::LinearSolver>> solvers;
    for (const auto& name : linear::linear_solver_names()) {
        solvers.emplace_back(name.option, name.solver);
    }
    stage::add_choice<linear::LinearSolver>(
        app, "--solver", learner.solver, solvers,
        "l2r: 1/2 w.w, l1r: sum |w_i|; plus C times the sum of log(1 + exp(-y w.x)) (lr), max(0, 1 - y w.x) "
        "(l1loss), max(0, 1 - y w.x)^2 (l2loss). More than two classes: one against the rest, or all "
        "at once (mcsvm-cs). l2r-lr and l2r-l2loss-svc: Newton steps on all threads, on the vectors "
        "where they lie; the others: LIBLINEAR, one thread");
    stage::add_number(app, "-c,--cost", learner.c, "C > 0", "C");
    stage::add_number(app, "-j,--cost-factor", options.cost_factor,
                      "errors on examples of the positive one of two classes cost so many times more", "J");
    app.add_option("--class-cost", options.class_costs,
                   "errors on examples of a class cost so many times more; may be repeated")
        ->type_name("LABEL=FACTOR");
    stage::add_number(app, "--constant", options.constant,
                      "value of a constant feature after the others, in place of a bias; 0 = none", "V");
    stage::add_number(
        app, "-e,--epsilon", learner.epsilon,
        "stopping tolerance; 0.001 for l2r-lr and l2r-l2loss-svc, 0.01 for l1r, 0.1 for the others", "E");
    app.add_option("--start-from", options.start_from,
                   "l2r-lr, l2r-l2loss-svc: start from the weights of this model")
        ->type_name("FILE");
    app.add_flag("--mined", options.mined,
                 "no training: the relevances of the dictionary are the weights, with the scale and bias of "
                 "least hinge loss on the input");
    app.add_option("--dictionary", options.dictionary,
                   "mined: the dictionary that the vectors were made with")
        ->type_name("FOLDER");
    app.add_flag("--search", options.search, "look for C by cross-validation, or on --dev");
    stage::add_number(app, "--search-from", options.grid.from, "first C", "C");
    stage::add_number(app, "--search-to", options.grid.to, "last C", "C");
    stage::add_number(app, "--search-factor", options.grid.factor, "from one C to the next");
    stage::add_count(app, "--folds", options.grid.folds, "parts of the cross-validation");
    app.add_option("--dev", options.dev, "search: vectors to measure on, instead of by cross-validation")
        ->type_name("PATH");
    stage::add_choice<evaluate::Measure>(
        app, "--measure", options.grid.measure, stage::choices_of(evaluate::kMeasureNames),
        "what to make best; auto: f1 of class +1 where labels are +1 and -1, else accuracy");
    return stage.run(argc, argv, [&](auto& progress) { return esl::run(options, progress); });
}
