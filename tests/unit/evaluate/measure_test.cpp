#include "evaluate/measure.hpp"

#include "support/catch.hpp"

using namespace treeline::evaluate;
using Catch::Matchers::WithinAbs;

TEST_CASE("auto is the F1 of +1 where labels are +1 and -1, else the accuracy") {
    Metrics metrics;
    metrics.add("+1", "1", 8);
    metrics.add("1", "-1", 2);
    metrics.add("-1", "+1", 4);
    metrics.add("-1", "-1", 86);
    CHECK(chosen_measure(Measure::kAuto, metrics, "+1") == Measure::kF1);
    CHECK_THAT(value_of(Measure::kAuto, metrics, "+1"), WithinAbs(1600.0 / 22, 1e-9));
    CHECK_THAT(value_of(Measure::kF1, metrics, "-1"), WithinAbs(100 * 172.0 / 178, 1e-9));
    CHECK_THAT(value_of(Measure::kAccuracy, metrics, "+1"), WithinAbs(94, 1e-9));
    CHECK_THAT(value_of(Measure::kMacroF1, metrics, "+1"),
               WithinAbs((1600.0 / 22 + 17200.0 / 178) / 2, 1e-9));
    Metrics words;
    words.add("yes", "yes", 3);
    words.add("no", "yes", 1);
    CHECK(chosen_measure(Measure::kAuto, words, "yes") == Measure::kAccuracy);
    CHECK_THAT(value_of(Measure::kF1, words, "yes"), WithinAbs(600.0 / 7, 1e-9));
    CHECK(value_of(Measure::kF1, words, "never") == 0);
}

TEST_CASE("without a positive class F1 is that of all classes together, the accuracy") {
    Metrics metrics;
    metrics.add("A", "A", 2);
    metrics.add("B", "C");
    metrics.add("C", "C");
    CHECK(chosen_measure(Measure::kF1, metrics, "") == Measure::kAccuracy);
    CHECK(value_of(Measure::kF1, metrics, "") == 75);
}
