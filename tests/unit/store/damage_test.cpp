/// What damage does to files of the store: for every cut and for a flipped bit in every byte, reading fails or gives what was
/// written.
#include <functional>

#include "base/error.hpp"
#include "base/random.hpp"
#include "store/checkpoint.hpp"
#include "store/kernel_model.hpp"
#include "store/linear_model.hpp"
#include "store/mined_file.hpp"
#include "store/polynomial_model_file.hpp"
#include "store/vectors.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using namespace treeline::store;

namespace {

/// Reads one file and writes what it has found to another.
using Copy = std::function<void(const std::string& from, const std::string& to)>;

void check_damage(const std::string& whole, const Copy& copy) {
    const test::TemporaryFolder folder;
    base::Random random(7);
    copy(folder.file("whole", whole), folder / "again");
    const std::string expected = test::slurp(folder / "again");
    std::size_t refused = 0;
    const auto check = [&](const std::string& damaged) {
        try {
            copy(folder.file("damaged", damaged), folder / "found");
        } catch (const base::Error&) {
            ++refused;
            return;
        }
        CHECK(test::slurp(folder / "found") == expected);
    };
    for (std::size_t i = 0; i < whole.size(); ++i) {
        CAPTURE(i);
        std::string flipped = whole;
        flipped[i] = static_cast<char>(static_cast<unsigned char>(flipped[i]) ^ (1U << random.below(8)));
        check(flipped);
        check(whole.substr(0, i));
    }
    CHECK(refused > whole.size());
}

std::string text_of(const std::function<void(const std::string&)>& write) {
    const test::TemporaryFolder folder;
    write(folder / "file");
    return test::slurp(folder / "file");
}

void copy_kernel_model(const std::string& from, const std::string& to) {
    tree::Forest forest;
    example::ExampleSet examples;
    const KernelModel model = read_kernel_model(from, forest, examples);
    write_kernel_model(to, model, forest, examples);
}

void copy_vectors(const std::string& from, const std::string& to) {
    const VectorsFile file(from);
    const auto sink = make_arrow_sink(to, file.info(), {.weights = file.has_weights()});
    for (std::size_t number = 0; number < file.batch_count(); ++number) {
        const VectorsBatch batch = file.batch(number);
        for (std::size_t row = 0; row < batch.size(); ++row) {
            sink->add(batch.row(row));
        }
    }
    (void)sink->commit();
}

}  // namespace

TEST_CASE("A damaged kernel model is refused") {
    const std::string whole = text_of([](const std::string& path) {
        tree::Forest forest;
        example::ExampleSet examples;
        const test::TemporaryFolder folder;
        const std::string text =
            "SVM-light Version V5.01-TK-1.5\n5 # kernel type\n3 # kernel parameter -d \n1 # kernel parameter -g \n"
            "1 # kernel parameter -s \n1 # kernel parameter -r \nempty# kernel parameter -u \n0.4 # kernel parameter -L \n"
            "1 # kernel parameter -T \nT # kernel parameter -C \n1 # kernel parameter -F \n1 # kernel parameter -S \n"
            "0.400000 # kernel parameter -M \n3 # kernel parameter -N \nS # kernel parameter -V \nS # kernel parameter -W \n"
            "0 # kernel parameter -U \n0 # highest feature index \n7 # number of training documents \n"
            "3 # number of support vectors plus 1 \n"
            "1.25 # threshold b, each following line is a SV (starting with alpha*y)\n"
            "-0.5  |BT| (NP (DT (the))(NN (cat))) |ET| \n1  |BT| (NP (NN (dog))) |ET| \n";
        KernelModel model = read_kernel_model(folder.file("own", text), forest, examples);
        model.classes = {"yes", "no"};
        write_kernel_model(path, model, forest, examples);
    });
    check_damage(whole, copy_kernel_model);
}

TEST_CASE("A damaged linear model is refused") {
    LinearModelFile file;
    file.model.solver = linear::LinearSolver::kL2rLr;
    file.model.labels = {"NUM", "HUM"};
    file.model.features = 2;
    file.model.weights = {0.125, -0.25};
    file.info = {.kernel = "sst(lambda=0.4)",
                 .norm = "kernel",
                 .vectors = "unit",
                 .fragments = 2,
                 .dictionary = "abc"};
    check_damage(text_of([&](const std::string& path) { write_linear_model(path, file); }),
                 [](const std::string& from, const std::string& to) {
                     write_linear_model(to, read_linear_model(from));
                 });
}

TEST_CASE("A linear model that has lost its last lines is not taken for one of LIBLINEAR's") {
    const test::TemporaryFolder folder;
    LinearModelFile file;
    file.model.labels = {"+1", "-1"};
    file.model.features = 1;
    file.model.weights = {0.125};
    file.info.dictionary = "abc";
    const std::string whole = text_of([&](const std::string& path) { write_linear_model(path, file); });
    const std::string cut = folder.file("cut", whole.substr(0, whole.find("treeline ")));
    CHECK_THROWS_AS(read_linear_model(cut), base::InputError);
}

TEST_CASE("A damaged polynomial model is refused") {
    const test::TemporaryFolder folder;
    polynomial::PolynomialModel model;
    model.degree = 2;
    model.labels = {"+1", "-1"};
    model.ranking = polynomial::FeatureRanking({7, 2, 11});
    model.coefficients = {0.5, -0.25};
    model.features = {0, 1, 2};
    model.offsets = {0, 2, 3};
    check_damage(text_of([&](const std::string& path) { write_polynomial_model(path, model); }),
                 [](const std::string& from, const std::string& to) {
                     write_polynomial_model(to, read_polynomial_model(from));
                 });
}

TEST_CASE("A damaged file of mined fragments is refused") {
    MinedModel mined;
    mined.info.miner = "exact";
    mined.info.models.resize(1);
    mined.info.models[0].name = "a.svm";
    mined.fragments.add(fragment::parse_fragment("(NP (DT the) (NN))", mined.symbols));
    mined.fragments.add(fragment::parse_fragment("(NP (NN))", mined.symbols));
    mined.scores = {{1.25, 12}, {-0.5, 3}};
    check_damage(text_of([&](const std::string& path) { write_mined(path, mined); }),
                 [](const std::string& from, const std::string& to) { write_mined(to, read_mined(from)); });
}

TEST_CASE("A damaged checkpoint is refused") {
    const Checkpoint checkpoint{"abc", 1, {{{0, 1.0 / 3, 0, -1}, 0.1}, {{0, 0, 2, 0}, -2}}};
    check_damage(text_of([&](const std::string& path) { write_checkpoint(path, checkpoint); }),
                 [](const std::string& from, const std::string& to) {
                     write_checkpoint(to, read_checkpoint(from, 4));
                 });
}

TEST_CASE("Damaged vectors are refused") {
    const bool weights = GENERATE(false, true);
    const std::string whole = text_of([&](const std::string& path) {
        VectorsInfo info{.kernel = "sst(lambda=0.4)",
                         .norm = "kernel",
                         .vectors = "unit",
                         .fragments = 10,
                         .dictionary = "abc"};
        const auto sink = make_arrow_sink(path, info, {.weights = weights});
        const std::vector<std::uint32_t> indices{1, 4, 9};
        const std::vector<float> values{0.5, 0.25, -1};
        sink->add({0, "yes", indices, values});
        sink->add({1, "no", std::span(indices).first(2), std::span(values).first(2)});
        sink->add({2, "yes", {}, {}});
        (void)sink->commit();
    });
    check_damage(whole, copy_vectors);
}
