#include "evaluate/intervals.hpp"

#include "support/catch.hpp"

using namespace treeline::evaluate;

TEST_CASE("Wilson's interval has the values of the tables") {
    // 81 of 263 is the example of Newcombe (1998): 0.2553 to 0.3662; so are 15 of 148, 0 of 20, 1 of 29.
    const auto check = [](std::uint64_t hits, std::uint64_t total, double low, double high) {
        const Interval interval = wilson_interval(hits, total);
        CHECK(interval.low == Approx(100 * low).margin(0.006));
        CHECK(interval.high == Approx(100 * high).margin(0.006));
    };
    check(81, 263, 0.2553, 0.3662);
    check(15, 148, 0.0624, 0.1605);
    check(0, 20, 0, 0.1611);
    check(1, 29, 0.0061, 0.1718);
    check(20, 20, 1 - 0.1611, 1);
    CHECK(wilson_interval(0, 0).low == 0);
    CHECK(wilson_interval(0, 0).high == 100);
}

TEST_CASE("the bootstrap is deterministic and near the exact interval of an accuracy") {
    Metrics metrics;
    metrics.add("a", "a", 400);
    metrics.add("a", "b", 100);
    metrics.add("b", "b", 480);
    metrics.add("b", "a", 20);
    const auto accuracy = [](const Metrics& sample) { return sample.accuracy(); };
    const Interval once = bootstrap_interval(metrics, accuracy);
    const Interval again = bootstrap_interval(metrics, accuracy);
    CHECK(once.low == again.low);
    CHECK(once.high == again.high);
    const Interval wilson = accuracy_interval(metrics);
    CHECK(wilson.low == Approx(wilson_interval(880, 1000).low));
    CHECK(once.low == Approx(wilson.low).margin(0.5));
    CHECK(once.high == Approx(wilson.high).margin(0.5));
    const Interval wide = bootstrap_interval(metrics, accuracy, {.level = 0.999});
    CHECK(wide.low < once.low);
    CHECK(wide.high > once.high);
}

TEST_CASE("what cannot vary has an interval of one point") {
    Metrics metrics;
    metrics.add("a", "a", 50);
    const Interval interval = bootstrap_interval(metrics, [](const Metrics& m) { return m.macro_f1(); });
    CHECK(interval.low == 100);
    CHECK(interval.high == 100);
    CHECK(bootstrap_interval(Metrics(), [](const Metrics&) { return 1.0; }).high == 100);
}
