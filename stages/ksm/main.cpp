#include <utility>

#include "common/stage.hpp"
#include "ksm/ksm.hpp"

using namespace treeline;

int main(int argc, char** argv) {
    using enum stage::Common;
    ksm::Options options;
    stage::Stage stage(
        {.name = "ksm",
         .purpose = "Kernel space matrix: kernel values between examples, for other programs.",
         .example = "ksm --input a.dat --kernel \"sst(lambda=0.4)\" --matrix --output K.npy\n"
                    "ksm --input a.dat --other b.dat --pairs aligned --output values.txt",
         .reads = "examples; the trees need no labels",
         .writes =
             "NumPy .npy (little-endian, C order), Arrow (a list per row), text (a line per pair or per row), "
             "or LIBSVM lines for its -t 4"},
        options.common, {kThreads, kMemory, kForce, kOnError, kReading});
    stage.app().add_option("--input", options.input, "examples; - is stdin")->required()->type_name("FILE");
    stage.app()
        .add_option("--other", options.other, "examples on the other side; without it the input itself")
        ->type_name("FILE");
    stage.app().add_option("--output", options.output, "values; - is stdout")->required()->type_name("FILE");
    stage.app().add_option("--kernel", options.kernel, "kernel on examples, as in ksl")->type_name("KERNEL");
    auto pairs = stage::choices_of(ksm::kPairsNames, {ksm::Pairs::kAligned, ksm::Pairs::kConsecutive});
    pairs.emplace_back("", ksm::Pairs::kAligned);
    stage::add_choice(
        stage.app(), "--pairs", options.pairs, std::move(pairs),
        "aligned (the default): line i of --input with line i of --other; consecutive: line i with line i+1")
        ->expected(0, 1);
    stage.app().add_flag("--matrix", options.matrix,
                         "every line of --input (rows) with every line of --other (columns)");
    stage::add_choice(stage.app(), "--evaluator", options.evaluator, stage::choices_of(ksm::kEvaluatorNames),
                      "--matrix: whole rows at once; to compare their times, pair by pair by the fast tree "
                      "kernel (FTK), or from its definition, every pair of nodes (QTK)");
    stage::add_choice(stage.app(), "--format", options.format, stage::choices_of(ksm::kFormatNames),
                      "auto: npy or arrow for names that end so, else text");
    stage::add_choice(stage.app(), "--type", options.type, stage::choices_of(store::kNpyTypeNames),
                      "numbers of .npy and .arrow files");
    stage::add_count(stage.app(), "--limit", options.limit,
                     "read only the first N examples of each file; 0 = all");
    return stage.run(argc, argv, [&](auto& progress) { return ksm::run(options, progress); });
}
