/// Numbers of other programs.

#include <cmath>
#include <string>
#include <vector>

#include "base/input.hpp"
#include "base/text.hpp"
#include "example/example_set.hpp"
#include "kernel/example_kernel.hpp"
#include "kernel/pairwise.hpp"
#include "kernel/tree_rows.hpp"
#include "kernel/weighted_forest.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"

using namespace treeline;
using namespace treeline::kernel;

namespace {

std::vector<double> read_numbers(const std::string& path) {
    std::vector<double> numbers;
    base::LineReader lines(path);
    std::string_view line;
    while (lines.next(line)) {
        numbers.push_back(base::parse_double(line).value());
    }
    return numbers;
}

/// What a model file of SVM-light-TK holds: f(x) = sum_i coefficient_i K(x, tree_i) - threshold.
struct Model {
    tree::Forest forest;
    std::vector<tree::NodeId> trees;
    std::vector<double> coefficients;  // alpha * y
    double threshold = 0;
};

Model read_model(const std::string& path) {
    Model model;
    base::LineReader lines(path);
    std::string_view line;
    while (lines.next(line) && line.find("# threshold b") == std::string_view::npos) {
    }
    model.threshold = base::parse_double(line.substr(0, line.find(' '))).value();
    example::ExampleParser parser;
    example::Example example;
    while (lines.next(line)) {
        parser.parse(line, example::ExampleFormat::kSvmLightTk, example);
        model.coefficients.push_back(base::parse_double(example.label).value());
        model.trees.push_back(model.forest.add(example.trees()[0]).value());
    }
    return model;
}

}  // namespace

TEST_CASE("Values of another program between consecutive questions", "[data]") {
    struct Case {
        const char* kernel;
        const char* file;
    };
    const auto check = GENERATE(Case{"sst-bow(lambda=0.4)", "oracle/sstk_scores.txt"},
                                Case{"ptk(lambda=0.4,mu=0.4,terminal=5)", "oracle/ptk_scores.txt"});
    tree::Forest forest;
    example::ExampleSet questions;
    example::read_examples(test::data_file("qc/qc_grct_test.tsv.gz"), {}, forest, questions);
    const auto expected = read_numbers(test::data_file(check.file));
    REQUIRE(expected.size() == 499);
    REQUIRE(questions.size() == 500);
    ExampleKernel kernel(parse_kernel(check.kernel), forest);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(std::abs(kernel.value(questions, i, questions, i + 1) - expected[i]) < 1e-6);
    }
}

TEST_CASE("Support vectors below the cap lie on the margin of SVM-light-TK's models", "[data]") {
    const auto* const name = GENERATE("ABBR", "DESC", "ENTY", "NUM");
    INFO(name);
    const Model model =
        read_model(test::data_file("oracle/svmlighttk_models/" + std::string(name) + ".model.gz"));
    REQUIRE(model.trees.size() > 400);
    const TreeKernel kernel{.kind = TreeKernelKind::kSstBow, .lambda = 0.4};
    const auto norms = inverse_norms(self_kernels(model.forest, model.trees, kernel), kernel);
    std::vector<double> coefficients(norms.size());
    double cap = 0;
    for (std::size_t i = 0; i < norms.size(); ++i) {
        coefficients[i] = model.coefficients[i] * norms[i];
        cap = std::max(cap, std::abs(model.coefficients[i]));
    }
    const WeightedForest weighted(model.forest, model.trees, coefficients, kernel);
    WeightedForest::Evaluator evaluator(weighted);
    const TreeRows<double> rows(model.forest, model.trees, norms, kernel);
    PairwiseEvaluator pairwise(model.forest, kernel);
    std::vector<PairwiseTree> prepared(model.trees.size());
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        pairwise.prepare(model.trees[i], prepared[i]);
    }
    std::vector<double> row(model.trees.size());
    std::size_t free_vectors = 0;
    for (std::size_t i = 0; i < model.trees.size(); ++i) {
        double one_by_one = 0;
        double by_row = 0;
        rows.row(model.trees[i], norms[i], row);
        for (std::size_t j = 0; j < model.trees.size(); ++j) {
            one_by_one += coefficients[j] * norms[i] * pairwise.value(prepared[i], prepared[j]);
            by_row += model.coefficients[j] * row[j];
        }
        const double decision = evaluator.value(model.trees[i]) * norms[i];
        REQUIRE(std::abs(decision - one_by_one) < 1e-9);
        REQUIRE(std::abs(decision - by_row) < 1e-9);
        const double y = model.coefficients[i] > 0 ? 1 : -1;
        if (std::abs(model.coefficients[i]) < cap * (1 - 1e-6)) {
            REQUIRE(std::abs(y * (decision - model.threshold) - 1) < 0.002);
            ++free_vectors;
        }
    }
    CHECK(free_vectors > 300);
}
