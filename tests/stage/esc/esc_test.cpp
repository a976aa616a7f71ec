#include "esc/esc.hpp"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "esl/esl.hpp"
#include "store/linear_model.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/sample_dictionary.hpp"
#include "support/sample_vectors.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using nlohmann::json;

namespace {

struct Setting {
    test::TemporaryFolder folder;
    esc::Options options;
    std::string examples;

    explicit Setting(const std::vector<std::string>& labels = {"+1", "-1"},
                     linear::LinearSolver solver = linear::LinearSolver::kL2rL2lossSvc) {
        examples = folder.file("train.dat", test::sample_examples(1, 300, labels));
        test::make_sample_dictionary(folder / "dict", examples, 300);
        test::make_sample_vectors(folder / "train.arrow", folder / "dict", examples);
        esl::Options learning;
        learning.input = folder / "train.arrow";
        learning.output = folder / "model";
        learning.learner.solver = solver;
        (void)esl::run(learning, base::silent_observer());
        options.model = folder / "model";
        options.output = folder / "out";
        options.common.force = true;
    }
    void from_vectors() {
        options.input = folder / "train.arrow";
        options.trees.clear();
    }
    void from_trees() {
        options.input.clear();
        options.trees = examples;
        options.dictionary = folder / "dict";
    }
    [[nodiscard]] std::string run(std::size_t threads = 1) const {
        std::filesystem::remove(options.output);
        base::run_with_threads(threads, [&] { (void)esc::run(options, base::silent_observer()); });
        return test::slurp(options.output);
    }
};

/// Of a table of predictions: what comes after example and gold label, without the heading.
std::vector<std::vector<std::string>> cells(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    REQUIRE_THAT(line, Catch::Matchers::StartsWith("example\tgold\tpredicted\tvalue:"));
    while (std::getline(lines, line)) {
        rows.emplace_back();
        std::istringstream columns(line);
        for (std::string cell; std::getline(columns, cell, '\t');) {
            rows.back().push_back(cell);
        }
        rows.back().erase(rows.back().begin(), rows.back().begin() + 2);
    }
    return rows;
}

}  // namespace

TEST_CASE("Vectors and trees give the same predictions, on any number of threads") {
    const std::vector<std::string> labels =
        GENERATE(std::vector<std::string>{"+1", "-1"}, std::vector<std::string>{"NUM", "HUM", "LOC"});
    Setting setting(labels);
    setting.from_vectors();
    const std::string expected = setting.run();
    const auto rows = cells(expected);
    REQUIRE(rows.size() == 300);
    CHECK(rows[0].size() == (labels.size() == 2 ? 2 : 4));
    setting.from_trees();
    CHECK(setting.run(1) == expected);
    CHECK(setting.run(3) == expected);
}

TEST_CASE("Metrics are written as JSON") {
    Setting setting;
    setting.from_trees();
    setting.options.metrics = setting.folder / "metrics.json";
    (void)setting.run();
    const json metrics = json::parse(test::slurp(setting.options.metrics));
    CHECK(metrics.at("examples") == 300);
    CHECK(metrics.at("accuracy") > 90.0);
    CHECK(metrics.at("classes").contains("+1"));
}

TEST_CASE("Probabilities add up to 1; only logistic models have them") {
    Setting setting({"NUM", "HUM", "LOC"}, linear::LinearSolver::kL2rLr);
    setting.from_vectors();
    setting.options.probabilities = true;
    for (const auto& row : cells(setting.run())) {
        REQUIRE(row.size() == 7);
        double sum = 0;
        for (std::size_t i = 4; i < 7; ++i) {
            sum += *base::parse_double(row[i]);
        }
        REQUIRE_THAT(sum, WithinAbs(1, 1e-9));
    }
    Setting other;
    other.from_vectors();
    other.options.probabilities = true;
    CHECK_THROWS_WITH(other.run(), ContainsSubstring("not a logistic model"));
}

TEST_CASE("Explanations add up to the decision value") {
    Setting setting({"NUM", "HUM", "LOC"});
    setting.from_trees();
    const auto predictions = cells(setting.run());
    setting.options.explain = 4;
    setting.options.format = esc::Format::kJson;
    std::istringstream lines(setting.run(2));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const json item = json::parse(line);
        double sum = item.at("bias").get<double>() + item.at("others").at("contribution").get<double>();
        CHECK(item.at("contributions").size() <= 4);
        double before = INFINITY;
        for (const auto& part : item.at("contributions")) {
            const double product = part.at("contribution").get<double>();
            sum += product;
            CHECK(std::abs(product) <= before);
            before = std::abs(product);
            CHECK_THAT(part.at("value").get<double>() * part.at("weight").get<double>(),
                       WithinAbs(product, 1e-12));
        }
        REQUIRE(item.at("id") == count);
        REQUIRE(item.at("predicted") == predictions[count][0]);
        REQUIRE_THAT(sum, WithinAbs(item.at("decision").get<double>(), 1e-12));
        double largest = -INFINITY;
        for (std::size_t i = 1; i < 4; ++i) {
            largest = std::max(largest, *base::parse_double(predictions[count][i]));
        }
        REQUIRE(item.at("decision").get<double>() == largest);
    }
    CHECK(count == 300);
}

TEST_CASE("Explanations as text and as a page") {
    Setting setting;
    setting.from_trees();
    setting.options.explain = 3;
    setting.options.limit = 5;
    const std::string text = setting.run();
    CHECK_THAT(text, ContainsSubstring("bias") && ContainsSubstring("total") && ContainsSubstring("gold"));
    setting.options.format = esc::Format::kHtml;
    const std::string page = setting.run();
    CHECK_THAT(page, ContainsSubstring("<!DOCTYPE html>") && ContainsSubstring("<svg") &&
                         ContainsSubstring("</html>"));
    CHECK_THAT(page, !ContainsSubstring("http"));
    std::size_t sections = 0;
    for (std::size_t at = page.find("<section"); at != std::string::npos;
         at = page.find("<section", at + 1)) {
        ++sections;
    }
    CHECK(sections == 5);
}

TEST_CASE("Another dictionary than the model's is refused, on either side") {
    Setting setting;
    test::make_sample_dictionary(setting.folder / "other", setting.examples, 20);
    test::make_sample_vectors(setting.folder / "other.arrow", setting.folder / "other", setting.examples);
    setting.options.input = setting.folder / "other.arrow";
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("another dictionary"));
    setting.from_trees();
    setting.options.dictionary = setting.folder / "other";
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("another dictionary"));
}

TEST_CASE("A model of another kernel than the dictionary's is refused") {
    Setting setting;
    setting.from_trees();
    auto file = store::read_linear_model(setting.options.model);
    file.info.kernel = "sst(lambda=0.9)";
    setting.options.model = setting.folder / "other-kernel";
    store::write_linear_model(setting.options.model, file);
    CHECK_THROWS_WITH(setting.run(),
                      ContainsSubstring("a model of the kernel sst(lambda=0.9); the dictionary's is"));
}

TEST_CASE("Contradicting options are refused") {
    esc::Options options;
    CHECK_THROWS_AS(esc::validate(options), base::UsageError);
    options.trees = "a";
    CHECK_THROWS_AS(esc::validate(options), base::UsageError);
    options.dictionary = "d";
    CHECK_NOTHROW(esc::validate(options));
    options.input = "b";
    CHECK_THROWS_AS(esc::validate(options), base::UsageError);
}

TEST_CASE("What was predicted in the same way is not predicted again") {
    Setting setting;
    setting.from_vectors();
    setting.options.common.force = false;
    (void)setting.run();
    CHECK(esc::run(setting.options, base::silent_observer()).in == 0);
    setting.options.metrics = setting.folder / "metrics.json";
    setting.options.common.force = true;
    CHECK(esc::run(setting.options, base::silent_observer()).in == 300);
}

TEST_CASE("Boundaries of semantic roles are found by 3,000 fragments", "[data]") {
    const test::TemporaryFolder folder;
    const auto head = [&](const std::string& name, const std::string& source, std::size_t count) {
        base::LineReader lines(test::data_file(source));
        std::string text;
        std::string_view line;
        for (std::size_t i = 0; i < count && lines.next(line); ++i) {
            text.append(line).append("\n");
        }
        return folder.file(name, text);
    };
    const std::string train = head("train.dat", "srl/ewt.train.bc.dat.gz", 20000);
    const std::string dev = head("dev.dat", "srl/ewt.dev.bc.dat.gz", 10000);
    test::make_sample_dictionary(folder / "dict", train, 3000);
    test::make_sample_vectors(folder / "train.arrow", folder / "dict", train);
    test::make_sample_vectors(folder / "dev.arrow", folder / "dict", dev);
    esl::Options learning;
    learning.input = folder / "train.arrow";
    learning.output = folder / "model";
    (void)esl::run(learning, base::silent_observer());
    esc::Options options;
    options.model = folder / "model";
    options.dictionary = folder / "dict";
    options.trees = dev;
    options.output = folder / "trees.tsv";
    options.metrics = folder / "metrics.json";
    (void)esc::run(options, base::silent_observer());
    options.trees.clear();
    options.input = folder / "dev.arrow";
    options.metrics = folder / "vectors.json";
    options.output = folder / "vectors.tsv";
    (void)esc::run(options, base::silent_observer());
    CHECK(test::slurp(folder / "trees.tsv") == test::slurp(folder / "vectors.tsv"));
    const json metrics = json::parse(test::slurp(folder / "metrics.json"));
    CHECK(metrics.at("classes").at("+1").at("f1") > 85.0);
}
