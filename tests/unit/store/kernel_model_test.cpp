#include "store/kernel_model.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/input.hpp"
#include "kernel/example_kernel.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using namespace treeline::store;
using Catch::Matchers::ContainsSubstring;

namespace {

/// What SVM-light-TK 1.5 writes, with tree kernel SST-bow.
const std::string kHead =
    "SVM-light Version V5.01-TK-1.5\n"
    "5 # kernel type\n"
    "3 # kernel parameter -d \n"
    "1 # kernel parameter -g \n"
    "1 # kernel parameter -s \n"
    "1 # kernel parameter -r \n"
    "empty# kernel parameter -u \n"
    "0.4 # kernel parameter -L \n"
    "1 # kernel parameter -T \n"
    "T # kernel parameter -C \n"
    "2 # kernel parameter -F \n"
    "1 # kernel parameter -S \n"
    "0.400000 # kernel parameter -M \n"
    "3 # kernel parameter -N \n"
    "S # kernel parameter -V \n"
    "S # kernel parameter -W \n"
    "0 # kernel parameter -U \n"
    "0 # highest feature index \n"
    "7 # number of training documents \n"
    "3 # number of support vectors plus 1 \n"
    "1.1494979 # threshold b, each following line is a SV (starting with alpha*y)\n";
const std::string kSupport =
    "-0.08336948206618549628288405983767  |BT| (NP (DT (the))(NN (cat))) |ET| \n"
    "1  |BT| (NP (NN (dog))) |ET| \n";

struct Loaded {
    tree::Forest forest;
    example::ExampleSet examples;
    KernelModel model;
};

Loaded load(const std::string& path) {
    Loaded loaded;
    loaded.model = read_kernel_model(path, loaded.forest, loaded.examples);
    return loaded;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("a model of SVM-light-TK is read and written to the byte") {
    const test::TemporaryFolder folder;
    const auto loaded = load(folder.file("model", kHead + kSupport));
    CHECK(to_string(loaded.model.kernel) == "sst-bow(lambda=0.4)");
    CHECK(loaded.model.threshold == 1.1494979);
    CHECK(loaded.model.training_examples == 7);
    CHECK(loaded.model.support ==
          std::vector<SupportVector>{{0, -0.08336948206618549628288405983767}, {1, 1}});
    CHECK(loaded.examples.label_text(0) == "-1");
    CHECK(loaded.examples.label_text(1) == "+1");
    write_kernel_model(folder / "again", loaded.model, loaded.forest, loaded.examples);
    const std::string again = replaced(test::slurp(folder / "again"), "alpha*y) \n", "alpha*y)\n");
    CHECK(again.substr(0, again.rfind("# digest ")) == kHead + kSupport);
}

TEST_CASE("vectors, several trees and empty trees survive writing") {
    const test::TemporaryFolder folder;
    tree::Forest forest;
    example::ExampleSet examples;
    const std::string lines =
        "+1 |BT| (A (B b)) |BT| (C c) |ET| 1:0.1 7:-2.5 |BV| 3:1 |EV|\n"
        "-1 |BT| |BT| (C \\() |ET| |BV| 2:1e-300 |EV|\n"
        "+1 1:1 |EV|\n";
    example::read_examples(folder.file("examples", lines), {}, forest, examples);
    KernelModel model{
        kernel::parse_kernel("0.3*sst(pairs=all)+poly(d=2)"), -0.5, 3, {{0, 0.1}, {1, -1.0 / 3}, {2, 1}}};
    write_kernel_model(folder / "model", model, forest, examples);
    const auto loaded = load(folder / "model");
    CHECK(loaded.model.kernel == model.kernel);
    CHECK(loaded.model.support == model.support);
    kernel::ExampleKernel before(model.kernel, forest);
    tree::Forest& other_forest = const_cast<tree::Forest&>(loaded.forest);
    kernel::ExampleKernel after(loaded.model.kernel, other_forest);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(loaded.examples.trees(i).size() == examples.trees(i).size());
        CHECK(loaded.examples.vector_count(i) == examples.vector_count(i));
        for (std::size_t j = 0; j < 3; ++j) {
            CHECK(before.value(examples, i, examples, j) ==
                  after.value(loaded.examples, i, loaded.examples, j));
        }
    }
    write_kernel_model(folder / "again", loaded.model, loaded.forest, loaded.examples);
    CHECK(test::slurp(folder / "again") == test::slurp(folder / "model"));
}

TEST_CASE("anything but a whole model is refused with its line") {
    struct Case {
        std::string text;
        std::string message;
    };
    const auto bad = GENERATE(
        Case{"", ":1: the file ends"}, Case{"SVM-light Version V6.02\n", ":1: found"},
        Case{kHead.substr(0, 100), "the last line has no end"},
        Case{kHead.substr(0, kHead.find("0.4 #")), ":8: the file ends"},
        Case{kHead, ":22: the file ends; expected support vector 1 of 2"},
        Case{kHead + kSupport.substr(0, kSupport.find('\n') + 1), ":23: the file ends"},
        Case{kHead + kSupport.substr(0, kSupport.size() - 10), "the last line has no end"},
        Case{kHead + kSupport + "1 |BT| (A b) |ET| \n", ":24: a line after"},
        Case{replaced(kHead, "3 # number", "0 # number"), ":20: "},
        Case{replaced(kHead, "3 # number", "-3 # number"), ":20: "},
        Case{replaced(kHead, "3 # number", "18446744073709551615 # number") + kSupport, ":24: the file ends"},
        Case{replaced(kHead, "1.1494979", "nan"), ":21: "},
        Case{replaced(kHead, "0.4 # kernel parameter -L", "2 # kernel parameter -L"), ":17: "},
        Case{replaced(kHead, "empty", "treeline:nonsense"), ":17: "},
        Case{replaced(kHead, "T # kernel parameter -C", "T # kernel parameter -X"), ":10: "},
        Case{kHead + replaced(kSupport, "1  |BT|", "inf  |BT|"), ":23:1: "},
        Case{kHead + replaced(kSupport, "(dog)", "(dog"), ":23:"},
        Case{kHead + replaced(kSupport, "cat", "\xff"), ":22:"});
    CAPTURE(bad.text);
    const test::TemporaryFolder folder;
    const auto path = folder.file("model", bad.text);
    CHECK_THROWS_AS(load(path), base::InputError);
    CHECK_THROWS_WITH(load(path), ContainsSubstring(bad.message));
}

TEST_CASE("support vectors of real models lie on the margin", "[data]") {
    const auto loaded = load(test::data_file("oracle/svmlighttk_models/ABBR.model.gz"));
    CHECK(loaded.model.support.size() == 460);
    kernel::ExampleKernel kernel(loaded.model.kernel, loaded.forest);
    for (std::size_t i = 0; i < 40; ++i) {
        const auto& x = loaded.model.support[i];
        if (std::abs(x.coefficient) > 0.999) {
            continue;
        }
        double value = -loaded.model.threshold;
        for (const auto& y : loaded.model.support) {
            value += y.coefficient * kernel.value(loaded.examples, x.example, loaded.examples, y.example);
        }
        CHECK(value * (x.coefficient > 0 ? 1 : -1) == Approx(1).margin(0.0011));
    }
}

TEST_CASE("real models are written to the byte", "[data]") {
    const std::string name = GENERATE("ABBR", "NUM");
    const auto source = test::data_file("oracle/svmlighttk_models/" + name + ".model.gz");
    const auto loaded = load(source);
    const test::TemporaryFolder folder;
    write_kernel_model(folder / "model", loaded.model, loaded.forest, loaded.examples);
    const std::string expected = replaced(base::read_whole_file(source), "10 # highest", "0 # highest");
    // But for what announces the digest, and the digest.
    const std::string found = replaced(test::slurp(folder / "model"), "alpha*y) \n", "alpha*y)\n");
    CHECK((found.substr(0, found.rfind("# digest ")) == expected));
}
