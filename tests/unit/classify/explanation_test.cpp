#include "classify/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "classify/explanation_page.hpp"
#include "classify/explanation_site.hpp"
#include "example/decision.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;

namespace {

/// Weights and values without a pattern, the same on every machine.
double weight(std::size_t i) { return std::sin(static_cast<double>(i * i + 1)); }

linear::LinearModel model_of(std::vector<std::string> labels, std::uint64_t features) {
    linear::LinearModel model;
    model.labels = std::move(labels);
    model.features = features;
    model.bias = 1;
    for (std::size_t i = 0; i < (features + 1) * model.columns(); ++i) {
        model.weights.push_back(weight(i));
    }
    return model;
}

struct Row {
    std::vector<std::uint32_t> indices;
    std::vector<float> values;

    explicit Row(std::uint32_t features) {
        for (std::uint32_t i = 0; i < features; i += 1 + i % 3) {
            indices.push_back(i);
            values.push_back(static_cast<float>(0.1 + weight(7 * i) * weight(7 * i)));
        }
    }
    [[nodiscard]] linear::SparseRow view() const { return {indices, values}; }
};

classify::Explanation explain(const linear::LinearModel& model, const Row& row, std::size_t count,
                              const std::string& gold) {
    std::vector<double> decisions(model.columns());
    model.decision_values(row.view(), decisions);
    const classify::FeatureCatalog features(nullptr, model.features);
    return classify::explain(model, row.view(), example::decide(decisions), decisions, count, features, gold);
}

double sum_of(const classify::Contrast& contrast) {
    double sum = contrast.bias;
    for (const classify::Contribution& item : contrast.top) {
        sum += item.product;
    }
    return sum;
}

}  // namespace

TEST_CASE("Contributions to the lead over another class add up to the difference of the scores") {
    const auto labels =
        GENERATE(std::vector<std::string>{"+1", "-1"}, std::vector<std::string>{"a", "b", "c", "d"});
    const linear::LinearModel model = model_of(labels, 200);
    const Row row(200);
    std::vector<double> decisions(model.columns());
    model.decision_values(row.view(), decisions);
    const std::size_t predicted = example::decide(decisions);
    for (const std::string& gold : labels) {
        const classify::Explanation all = explain(model, row, 1000, gold);
        const bool wrong = gold != labels[predicted];
        CHECK(all.wrong == wrong);
        CHECK((!wrong || all.contrast.other == gold));
        CHECK(all.contrast.rest_count == 0);
        double difference = 0;
        if (model.columns() == 1) {
            difference = predicted == 0 ? decisions[0] : -decisions[0];
        } else {
            const auto other =
                static_cast<std::size_t>(std::ranges::find(labels, all.contrast.other) - labels.begin());
            difference = decisions[predicted] - decisions[other];
        }
        CHECK(all.contrast.difference == difference);
        CHECK_THAT(sum_of(all.contrast), WithinAbs(difference, 1e-9));
        const classify::Explanation some = explain(model, row, 3, gold);
        CHECK(some.contrast.top.size() == 3);
        CHECK(some.contrast.rest_count == all.contrast.top.size() - 3);
        CHECK_THAT(sum_of(some.contrast) + some.contrast.rest, WithinAbs(difference, 1e-9));
        CHECK(std::abs(some.contrast.top[0].product) >= std::abs(some.contrast.top[2].product));
    }
}

TEST_CASE("Predicted class, gold class and runner-up stand side by side, each once") {
    const linear::LinearModel model = model_of({"a", "b", "c", "d"}, 60);
    const Row row(60);
    std::vector<double> decisions(4);
    model.decision_values(row.view(), decisions);
    std::vector<std::size_t> order{0, 1, 2, 3};
    std::ranges::sort(order, std::greater<>{}, [&](std::size_t i) { return decisions[i]; });
    const auto classes = [&](const std::string& gold) {
        std::string text;
        for (const auto& one : explain(model, row, 5, gold).classes) {
            text += one.label;
        }
        return text;
    };
    const auto label = [&](std::size_t rank) { return model.labels[order[rank]]; };
    CHECK(classes(label(0)) == label(0) + label(1));
    CHECK(classes(label(1)) == label(0) + label(1));
    CHECK(classes(label(3)) == label(0) + label(3) + label(1));
    CHECK(classes("unknown") == label(0) + label(1));
    const classify::Explanation explanation = explain(model, row, 5, label(3));
    CHECK_THAT(explanation.margin, WithinAbs(decisions[order[0]] - decisions[order[1]], 1e-12));
    for (const classify::Contribution& item : explanation.contrast.top) {
        REQUIRE(item.by_class.size() == 3);
        CHECK_THAT(item.by_class[0] - item.by_class[1], WithinAbs(item.product, 1e-12));
    }
    const auto json = nlohmann::json::parse(to_json_line(explanation));
    CHECK(json["contrast"]["difference"] == explanation.contrast.difference);
    CHECK(json["classes"].size() == 3);
}

TEST_CASE("An explanation on a page is text, whatever its labels are") {
    const linear::LinearModel model =
        model_of({"<script>alert(1)</script>", "\"b\"", std::string(10000, 'c')}, 30);
    const std::string section = to_html(explain(model, Row(30), 4, "\"b\""));
    CHECK_THAT(section, !ContainsSubstring("<script") && ContainsSubstring("&lt;script&gt;"));
    const std::string page = classify::html_head("<x>") + section + classify::html_foot();
    CHECK_THAT(page, !ContainsSubstring("@BODY@") && !ContainsSubstring("@LINKS@"));
    CHECK_THAT(page, ContainsSubstring("<title>&lt;x&gt;</title>") && !ContainsSubstring("@TITLE@"));
}

TEST_CASE("The pages of a site are bounded in size, and its list leads to each explanation") {
    const test::TemporaryFolder folder;
    classify::ExplanationSite site(folder.path(), "t");
    evaluate::Metrics metrics;
    classify::ErrorCauses causes;
    for (std::uint64_t id = 0; id < 120; ++id) {
        const std::string predicted = id % 7 == 0 ? "b" : "a";
        metrics.add("a", predicted);
        site.add({.id = id,
                  .gold = "a",
                  .predicted = predicted,
                  .margin = 1,
                  .sentence = "s",
                  .section = std::string(20000, '.')});
    }
    classify::add_causes(causes, 7,
                         {{.index = 3, .product = 0.5, .name = {}}, {.index = 4, .product = -1, .name = {}}});
    site.finish(metrics, causes, classify::FeatureCatalog(nullptr, 10));
    for (int page = 0; page < 5; ++page) {
        CHECK(test::slurp(folder / ("page-" + std::to_string(page) + ".html")).size() < (600 << 10));
    }
    const std::string index = test::slurp(folder / "index.html");
    CHECK_THAT(index, ContainsSubstring("#?gold=a&amp;predicted=b") && ContainsSubstring("page-0.html#e7") &&
                          ContainsSubstring("fragment 3") && !ContainsSubstring("fragment 4"));
}
