#include "store/class_relevance.hpp"

#include "base/error.hpp"
#include "support/catch.hpp"

using namespace treeline;
using namespace treeline::store;

namespace {

std::vector<DictionaryModel> models_of(const std::vector<std::string>& labels) {
    std::vector<DictionaryModel> models(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
        models[i].label = labels[i];
    }
    return models;
}

}  // namespace

TEST_CASE("the relevance for a class is the mean over its models") {
    const ClassRelevance classes(models_of({"b", "a", "b", "a"}));
    const std::vector<ModelRelevance> said{{0, 3, 1}, {1, -1, 1}, {2, 2, 1}};
    CHECK(classes.relevance(said, classes.get_class("b")) == 2.5);
    CHECK(classes.relevance(said, classes.get_class("a")) == -0.5);
    const auto best = classes.strongest(said);
    CHECK(classes.name(best.which) == "b");
    CHECK(best.relevance == 2.5);
}

TEST_CASE("weights of one class against the rest do not cancel") {
    const ClassRelevance classes(models_of({"x", "y", "z"}));
    const std::vector<ModelRelevance> said{{0, -4, 1}, {1, 2, 1}, {2, 2, 1}};
    CHECK(classes.strongest(said).relevance == -4);
    CHECK(classes.name(classes.strongest(said).which) == "x");
    const std::vector<ModelRelevance> tie{{1, -2, 1}, {2, 2, 1}};
    CHECK(classes.name(classes.strongest(tie).which) == "y");
    CHECK(classes.strongest({}).relevance == 0);
}

TEST_CASE("labels of models are compared as every label is") {
    const ClassRelevance classes(models_of({"1", "+1"}));
    CHECK(classes.classes().size() == 1);
    const std::vector<ModelRelevance> said{{0, 1, 1}, {1, 2, 1}};
    CHECK(classes.strongest(said).relevance == 1.5);
    CHECK(classes.get_class("1.0") == 0);
    CHECK_THROWS_AS(classes.get_class("2"), base::UsageError);
    const std::vector<ModelRelevance> unknown{{2, 1, 1}};
    CHECK_THROWS_AS(classes.strongest(unknown), base::Error);
}
