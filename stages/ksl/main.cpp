#include "ksl/ksl.hpp"
#include "ksl/search.hpp"

using namespace treeline;

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
                    "ksl --input train.dat --search --search-cost 0.1,1,10 --search-lambda 0.2,0.4 --output best.toml\n"
                    "ksl --input train.dat --config best.toml --output model.svm",
         .reads = "examples, `LABEL |BT| tree |ET| i:v ... |EV|` or `LABEL<TAB>tree`; plain, gzip, zstd or - "
                  "(stdin)",
         .writes = "a model in SVM-light-TK's text; a folder with one such file per class for more than two "
                   "classes; a manifest.\n"
                   "SIGINT and SIGTERM leave OUTPUT.checkpoint, which --resume takes up"},
        options.common, {kThreads, kMemory, kSeed, kForce, kOnError});
    stage.app().add_option("--input", options.input, "examples; - is stdin")->required()->type_name("FILE");
    stage.app()
        .add_option("--output", options.output, "model file or, for more than two classes, folder")
        ->required()
        ->type_name("PATH");
    stage.app()
        .add_option("--limit", options.limit, "read only the first N examples; 0 = all")
        ->type_name("N");
    stage.app()
        .add_option("--start-from", options.start_from, "smo: start from the coefficients of this model")
        ->type_name("FILE");
    stage.app().add_flag("--resume", options.resume, "take up the checkpoint of an interrupted run");
    stage::bind_training(stage.app(), options.training);
    ksl::bind_search(stage.app(), search);
    return stage.run(argc, argv, [&](auto& progress) {
        return search.on ? ksl::run_search(options, search, progress) : ksl::run(options, progress);
    });
}
