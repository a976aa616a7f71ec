#include "common/stage.hpp"
#include "ksl/ksl.hpp"
#include "ksl/search.hpp"

using namespace treeline;

namespace {

void bind_search(CLI::App& app, ksl::SearchOptions& search) {
    app.add_flag(
        "--search", search.on,
        "choose parameters: measure every combination of the --search-... lists (usvm, small samples), "
        "print the table, write the best one to --output as a file for --config; without lists lambda 0.2, "
        "0.4 and 0.6 with C 1, 3, 10 and 30");
    app.add_option("--dev", search.dev, "search: measure on these examples, instead of by cross-validation")
        ->type_name("FILE");
    stage::add_count(app, "--folds", search.folds, "search: parts of the cross-validation");
    stage::add_choice<evaluate::Measure>(
        app, "--measure", search.measure, stage::choices_of(evaluate::kMeasureNames),
        "search: what to make best; auto: f1 where labels are +1 and -1 or --positive is given, else accuracy");
    stage::add_count(app, "--search-sample", search.sample, "search: examples of a cut; 100 to 500 will do")
        ->type_name("R");
    app.add_option("--search-kernel", search.grid.kernels, "search: a kernel to try; may be repeated")
        ->type_name("KERNEL")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    stage::add_number(app, "--search-lambda", search.grid.lambdas,
                      "search: values of lambda for all tree kernels, 0.2,0.4,0.6")
        ->type_name("L,...")
        ->delimiter(',');
    stage::add_number(app, "--search-cost", search.grid.costs, "search: values of C")
        ->type_name("C,...")
        ->delimiter(',');
    stage::add_number(app, "--search-cost-factor", search.grid.cost_factors, "search: values of j")
        ->type_name("J,...")
        ->delimiter(',');
}

}  // namespace

int main(int argc, char** argv) {
    using enum stage::Common;
    ksl::Options options;
    ksl::SearchOptions search;
    stage::Stage stage(
        {.name = "ksl",
         .purpose =
             "Kernel space learning: trains a support vector machine with a kernel on trees and vectors.",
         .example = "ksl --input train.dat --output model.svm --kernel \"sst(lambda=0.4)\" -c 1\n"
                    "ksl --input questions.tsv --label-until : --output classes/ --threads 2\n"
                    "ksl --input train.dat --search --search-cost 0.1,1,10 --search-lambda 0.2,0.4 --output "
                    "best.toml\n"
                    "ksl --input train.dat --config best.toml --output model.svm",
         .reads = "examples, `LABEL |BT| tree |ET| i:v ... |EV|` or `LABEL<TAB>tree`; plain or compressed, "
                  "- is stdin",
         .writes = "a model in SVM-light-TK's text; a folder with one such file per class for more than two "
                   "classes; a manifest.\n"
                   "SIGINT and SIGTERM leave OUTPUT.checkpoint, which --resume takes up"},
        options.common, {kThreads, kMemory, kSeed, kForce, kOnError, kReading});
    stage.app().add_option("--input", options.input, "examples; - is stdin")->required()->type_name("FILE");
    stage.app()
        .add_option("--output", options.output, "model file or, for more than two classes, folder")
        ->required()
        ->type_name("PATH");
    stage::add_count(stage.app(), "--limit", options.limit, "read only the first N examples; 0 = all");
    stage.app()
        .add_option("--start-from", options.start_from, "smo: start from the coefficients of this model")
        ->type_name("FILE");
    stage.app().add_flag("--resume", options.resume, "take up the checkpoint of an interrupted run");
    stage::bind_training(stage.app(), options.training);
    bind_search(stage.app(), search);
    return stage.run(argc, argv, [&](auto& progress) {
        return search.on ? ksl::run_search(options, search, progress) : ksl::run(options, progress);
    });
}
