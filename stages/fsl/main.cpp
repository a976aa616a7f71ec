#include "common/stage.hpp"
#include "fsl/fsl.hpp"

using namespace treeline;

int main(int argc, char** argv) {
    using enum stage::Common;
    fsl::Options options;
    stage::Stage stage(
        {.name = "fsl",
         .purpose = "Fragment space learning: splits examples and trains a kernel model on each part "
                    "(and class), to mine fragments from.",
         .example = "fsl --input train.dat --output fsl/ --kernel \"sst(lambda=0.4)\"\n"
                    "fsl --input train.dat --output fsl/ --split 3/10",
         .reads = "examples, as ksl does",
         .writes =
             "models in SVM-light-TK's text, one per split and class that it has examples of, each with its manifest; the "
             "folder's manifest when all are there.\n"
             "Models that are there and were made the same way are not made again"},
        options.common, {kThreads, kMemory, kSeed, kForce, kOnError, kReading});
    stage.app().add_option("--input", options.input, "examples; - is stdin")->required()->type_name("FILE");
    stage.app().add_option("--output", options.output, "folder of models")->required()->type_name("FOLDER");
    auto* splits =
        stage::add_count(
            stage.app(), "--splits", options.splits,
            "number of parts; 0 = one for every 10,000 examples, 10 at most; as few as the rarest class has examples, if parts then have no more than 40,000")
            ->type_name("S");
    stage.app()
        .add_option("--split", options.split, "train part I of S only, for one job of many")
        ->type_name("I/S")
        ->excludes(splits);
    stage::add_count(stage.app(), "--train-splits", options.train_splits,
                     "train only the first K of the splits, a sample of the examples; 0 = all")
        ->type_name("K");
    stage::add_choice(stage.app(), "--splitting", options.splitting,
                      stage::choices_of(evaluate::kSplittingNames),
                      "how examples are dealt out: shuffled, shuffled within each class, or contiguous");
    stage::add_count(stage.app(), "--limit", options.limit, "read only the first N examples; 0 = all");
    stage::bind_training(stage.app(), options.training);
    return stage.run(argc, argv, [&](auto& progress) { return fsl::run(options, progress); });
}
