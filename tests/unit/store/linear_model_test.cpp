#include "store/linear_model.hpp"

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using namespace treeline::store;
using Catch::Matchers::ContainsSubstring;

namespace {

LinearModelFile some_model() {
    LinearModelFile file;
    file.model.solver = linear::LinearSolver::kL2rLr;
    file.model.labels = {"NUM", "a label", "HUM"};
    file.model.features = 2;
    file.model.bias = 1;
    file.model.weights = {0.1, -0.25, 1e-300, 1.0 / 3, 0, 5, 1, 2, 3};
    file.info = {.kernel = "sst(lambda=0.4)",
                 .norm = "kernel",
                 .vectors = "unit",
                 .fragments = 2,
                 .dictionary = "abc"};
    return file;
}

}  // namespace

TEST_CASE("Linear models read back as written") {
    const test::TemporaryFolder folder;
    LinearModelFile file = some_model();
    write_linear_model(folder / "m", file);
    CHECK(read_linear_model(folder / "m") == file);
    file.model.labels = {"+1", "-1"};
    file.model.bias = -1;
    file.model.weights = {0.5, 1};
    write_linear_model(folder / "m", file);
    CHECK(read_linear_model(folder / "m") == file);
    CHECK_THAT(test::slurp(folder / "m"),
               ContainsSubstring("label 1 -1\nnr_feature 2\nbias -1 \nw\n0.5 \n1 \n"));
}

TEST_CASE("Models of LIBLINEAR's own program are read; words are numbered for it") {
    const test::TemporaryFolder folder;
    write_linear_model(folder / "m", some_model());
    CHECK_THAT(test::slurp(folder / "m"), ContainsSubstring("solver_type L2R_LR\nnr_class 3\nlabel 1 2 3\n"));
    const std::string own =
        folder.file("own",
                    "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n"
                    "0.25 \n-1.5 \n");
    const LinearModelFile file = read_linear_model(own);
    CHECK(file.model.labels == std::vector<std::string>{"1", "-1"});
    CHECK(file.model.weights == std::vector<double>{0.25, -1.5});
    CHECK(file.info.dictionary.empty());
}

TEST_CASE("What is not a whole model is refused with its line") {
    const test::TemporaryFolder folder;
    const std::string head = "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n";
    const auto refused = [&](const std::string& text, const std::string& why) {
        CHECK_THROWS_WITH(read_linear_model(folder.file("m", text)), ContainsSubstring(why));
    };
    refused("", "the file ends");
    refused(head, ":6: the file ends; expected a line of weights");
    refused(head + "1\n", ":7: the file ends");
    refused(head + "1\nx\n", ":8: found 'x'; expected a number");
    refused(head + "1 2\n2\n", ":7: found ' 2'");
    refused(head + "1\n2\n3\n", ":9: found '3' after the weights");
    refused(head + "1\n2\ntreeline {\"labels\":[\"a\"]}\n", "damaged");
    refused("solver_type L2R_L2LOSS_SVR\n", ":1: solver 'L2R_L2LOSS_SVR'");
    refused("nr_class 99999999999\n", ":1: found '99999999999'");
    refused("hello\n", ":1: found 'hello'");
    refused("nr_class 2\nw\n", ":2: a head without");
}
