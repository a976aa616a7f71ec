#include "common/stage.hpp"
#include "fmi/fmi.hpp"

namespace {

const treeline::stage::Info kInfo{
    "fmi",
    "Mines the most relevant tree fragments out of kernel models and keeps them in a dictionary.\n"
    "Relevance of a fragment f: w_f = sum_i alpha_i y_i phi_f(t_i) / ||t_i||, phi_f = count * "
    "lambda^(s(f)/2).\n"
    "The miner 'exact' is complete: no fragment outside its list has a larger |w_f| than the last one in it.",
    "fmi --models model.svm --output dict/ --top 10000\n"
    "fmi --models m1.svm --mined-output m1.frag && fmi --merge m1.frag m2.frag --output dict/",
    "kernel models (ksl, fsl, SVM-light-TK), or fragments that fmi mined before",
    "a fragment dictionary (RocksDB), or one text file of mined fragments",
};

}  // namespace

int main(int argc, char** argv) {
    using namespace treeline;
    using fragment::MinerKind;
    using fragment::WeightScheme;
    using stage::Common;
    fmi::Options options;
    stage::Stage stage(kInfo, options.common, {Common::kThreads, Common::kMemory, Common::kForce});
    CLI::App& app = stage.app();
    app.add_option("--models", options.models,
                   "kernel models: files, folders with a manifest (fsl), or manifests")
        ->type_name("PATH");
    app.add_option("--merge", options.merge, "files of mined fragments (--mined-output)")->type_name("FILE");
    app.add_option("--output", options.output, "dictionary to make")->type_name("FOLDER");
    app.add_option("--add", options.add, "dictionary to add to; without --output it is replaced by the sum")
        ->type_name("FOLDER");
    app.add_option("--tmp", options.tmp,
                   "folder on a fast local disk for the dictionary until it is finished, where --output is "
                   "on a slow or shared one")
        ->type_name("FOLDER");
    app.add_option("--mined-output", options.mined_output,
                   "write the fragments of one model to a file, for --merge")
        ->type_name("FILE");
    stage::add_choice(
        app, "--miner", options.miner.kind, stage::choices_of(fragment::kMinerNames),
        "exact: the whole space by branch and bound; paper: Algorithm 3.1 of Pighin & Moschitti 2009;\n"
        "greedy: growth with cut-off B/L (2010)");
    stage::add_count(app, "--top", options.miner.top,
                     "L, fragments per model; 0 = all that reach --threshold");
    stage::add_number(app, "--threshold", options.miner.threshold, "least |w_f|");
    stage::add_choice(app, "--weight", options.miner.weight, stage::choices_of(fragment::kWeightNames),
                      "exact: lambda^(s/2), the kernel's own; depth: lambda^depth, the paper's");
    app.add_flag(
        "--global", options.global,
        "the exact top L of the sum of all models, in two passes, instead of the union of the models' top L");
    stage::add_count(app, "--min-count", options.miner.min_count,
                     "least number of nodes of the support vectors' trees at which a "
                     "fragment occurs");
    stage::add_count(app, "--max-size", options.miner.max_size,
                     "most expanded nodes (ptk, uptk: nodes); 0 = any");
    app.add_option("--containing", options.miner.containing,
                   "only fragments with a label that matches; * is any text")
        ->type_name("PATTERN");
    stage::add_count(app, "--max-depth", options.miner.max_depth, "paper: rounds of expansion");
    stage::add_count(app, "--max-exp", options.miner.max_expansions, "paper: nodes expanded at once");
    app.add_flag("!--no-compare", options.compare,
                 "paper, greedy: do not mine exactly, too, to tell what is lost");
    return stage.run(argc, argv,
                     [&](base::ProgressObserver& progress) { return fmi::run(options, progress); });
}
