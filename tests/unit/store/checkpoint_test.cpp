#include "store/checkpoint.hpp"

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using namespace treeline::store;

TEST_CASE("a checkpoint is read as it was written") {
    const test::TemporaryFolder folder;
    const Checkpoint written{"abc", 1, {{{0, 1.0 / 3, 0, -1e-300}, 0.1}, {{0, 0, 0, 0}, -2}}};
    write_checkpoint(folder / "c", written);
    const auto read = read_checkpoint(folder / "c", 4);
    CHECK(read.work == written.work);
    CHECK(read.finished == 1);
    REQUIRE(read.machines.size() == 2);
    CHECK(read.machines[0].coefficients == written.machines[0].coefficients);
    CHECK(read.machines[0].threshold == written.machines[0].threshold);
    CHECK(read.machines[1].coefficients == written.machines[1].coefficients);
}

TEST_CASE("checkpoints are kept beside the output") {
    CHECK(checkpoint_path("a/model.svm") == "a/model.svm.checkpoint");
    CHECK(checkpoint_path("classes//") == "classes.checkpoint");
}

TEST_CASE("anything but a checkpoint is refused") {
    const std::string text =
        GENERATE("", "nonsense\n", "treeline checkpoint 2\n",
                 "treeline checkpoint 2\nwork x\nfinished 2\nmachines 1\nthreshold 0\ncoefficients 0\n",
                 "treeline checkpoint 2\nwork x\nfinished 0\nmachines 1\nthreshold 0\ncoefficients 1\n9 1\n",
                 "treeline checkpoint 2\nwork x\nfinished 0\nmachines 1\nthreshold 0\ncoefficients 1\n1\n",
                 "treeline checkpoint 2\nwork x\nfinished 0\nmachines 99999999999\nthreshold "
                 "nan\ncoefficients 1\n1 1\n");
    CAPTURE(text);
    const test::TemporaryFolder folder;
    CHECK_THROWS_AS(read_checkpoint(folder.file("c", text), 4), base::InputError);
}
