#include "evaluate/metrics.hpp"

#include <string>

#include "support/catch.hpp"

using namespace treeline::evaluate;
using Catch::Matchers::StartsWith;

namespace {

/// 8 hits on +1, 2 misses, 4 false alarms, 86 rightly rejected; labels in every spelling.
Metrics binary() {
    Metrics metrics;
    metrics.add("+1", "1", 5);
    metrics.add("1", "+1.0", 3);
    metrics.add("1.0", "-1", 2);
    metrics.add("-1", "+1", 4);
    metrics.add("-1.0", "-1", 86);
    return metrics;
}

/// Gold A A A B B C, predicted A A B B X A: C is never predicted, X never right.
Metrics several() {
    Metrics metrics;
    metrics.add("A", "A", 2);
    metrics.add("A", "B");
    metrics.add("B", "B");
    metrics.add("B", "X");
    metrics.add("C", "A");
    return metrics;
}

}  // namespace

TEST_CASE("the scores of two classes are as computed by hand") {
    const Metrics metrics = binary();
    CHECK(metrics.is_signed_binary());
    CHECK(metrics.examples() == 100);
    CHECK(metrics.accuracy() == Approx(94));
    CHECK(metrics.micro_f1() == Approx(94));
    const auto classes = metrics.classes();
    REQUIRE(classes.size() == 2);
    CHECK(classes[0].label == "+1");
    CHECK(classes[0].precision == Approx(100.0 * 8 / 12));
    CHECK(classes[0].recall == Approx(80));
    CHECK(classes[0].f1 == Approx(100.0 * 16 / 22));
    CHECK(classes[0].support == 10);
    CHECK(classes[0].predicted == 12);
    CHECK(classes[1].label == "-1");
    CHECK(classes[1].precision == Approx(100.0 * 86 / 88));
    CHECK(classes[1].recall == Approx(100.0 * 86 / 90));
    CHECK(metrics.macro_f1() == Approx((100.0 * 16 / 22 + 100.0 * 172 / 178) / 2));
    CHECK(metrics.confusion("1", "-1") == 2);
    CHECK(metrics.confusion("-1", "1") == 4);
}

TEST_CASE("classes that are never predicted or never right count as 0") {
    const Metrics metrics = several();
    CHECK_FALSE(metrics.is_signed_binary());
    CHECK(metrics.accuracy() == Approx(50));
    const auto classes = metrics.classes();
    REQUIRE(classes.size() == 4);
    CHECK(classes[0].label == "A");
    CHECK(classes[0].precision == Approx(200.0 / 3));
    CHECK(classes[0].recall == Approx(200.0 / 3));
    CHECK(classes[0].f1 == Approx(200.0 / 3));
    CHECK(classes[1].label == "B");
    CHECK(classes[1].precision == Approx(50));
    CHECK(classes[1].recall == Approx(50));
    CHECK(classes[2].label == "C");
    CHECK(classes[2].precision == 0);
    CHECK(classes[2].recall == 0);
    CHECK(classes[2].f1 == 0);
    CHECK(classes[2].support == 1);
    CHECK(classes[3].label == "X");
    CHECK(classes[3].f1 == 0);
    CHECK(classes[3].support == 0);
    CHECK(classes[3].predicted == 1);
    CHECK(metrics.macro_f1() == Approx((200.0 / 3 + 50) / 4));
    CHECK(metrics.confusion("A", "missing") == 0);
    CHECK(metrics.confusion("X", "A") == 0);
}

TEST_CASE("no examples give zeros") {
    const Metrics metrics;
    CHECK(metrics.accuracy() == 0);
    CHECK(metrics.macro_f1() == 0);
    CHECK(metrics.classes().empty());
    CHECK_FALSE(metrics.is_signed_binary());
    CHECK_THAT(to_text(metrics), StartsWith("accuracy 0.00"));
    CHECK(to_json(metrics) == R"({
  "examples": 0,
  "accuracy": 0.0,
  "micro_f1": 0.0,
  "macro_f1": 0.0,
  "classes": {},
  "confusion": {}
}
)");
}

TEST_CASE("numbers are compared as numbers and names as written") {
    Metrics metrics;
    metrics.add("2", "2.0");
    metrics.add("1", "+1");
    metrics.add("0", "-0");
    metrics.add("one", "One");
    metrics.add("1234567890123456789", "1234567890123456780");
    CHECK(metrics.accuracy() == Approx(60));
    std::string labels;
    for (const ClassScore& score : metrics.classes()) {
        labels += score.label + " ";
    }
    CHECK(labels == "0 1 2 1234567890123456780 1234567890123456789 One one ");
}

TEST_CASE("the positive class leads the text of +1/-1 data") {
    CHECK(to_text(binary()) ==
          "class +1: precision 66.67, recall 80.00, F1 72.73\n"
          "accuracy 94.00, micro F1 94.00, macro F1 84.68 on 100 examples\n"
          "class  precision  recall      F1  support\n"
          "+1         66.67   80.00   72.73       10\n"
          "-1         97.73   95.56   96.63       90");
    Metrics negative_only;
    negative_only.add("-1", "-1");
    CHECK_THAT(to_text(negative_only), StartsWith("accuracy 100.00"));
}

TEST_CASE("the JSON has the documented keys in their order and the whole confusion") {
    Metrics metrics;
    metrics.add("A", "A", 3);
    metrics.add("A", "B", 1);
    CHECK(to_json(metrics) == R"({
  "examples": 4,
  "accuracy": 75.0,
  "micro_f1": 75.0,
  "macro_f1": 42.857142857142854,
  "classes": {
    "A": {
      "precision": 100.0,
      "recall": 75.0,
      "f1": 85.71428571428571,
      "support": 4
    },
    "B": {
      "precision": 0.0,
      "recall": 0.0,
      "f1": 0.0,
      "support": 0
    }
  },
  "confusion": {
    "A": {
      "A": 3,
      "B": 1
    },
    "B": {
      "A": 0,
      "B": 0
    }
  }
}
)");
}

TEST_CASE("the confusion of many classes leaves out zeros") {
    Metrics metrics;
    for (int i = 0; i < 101; ++i) {
        metrics.add("class" + std::to_string(i), "class0");
    }
    const std::string json = to_json(metrics);
    CHECK(json.find("\"class7\": {\n      \"class0\": 1\n    }") != std::string::npos);
    CHECK(json.find("\"class7\": 0") == std::string::npos);
}

TEST_CASE("a label that is not UTF-8 does not stop the JSON") {
    Metrics metrics;
    metrics.add("\xff", "\xff");
    CHECK(to_json(metrics).find("\"\xef\xbf\xbd\"") != std::string::npos);
}
