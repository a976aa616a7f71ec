#include "common/console.hpp"

#include <sstream>
#include <string>

#include "support/catch.hpp"

using namespace treeline::stage;
using namespace std::chrono_literals;

namespace {

/// A console whose clock stands still until it is told otherwise.
struct Fixture {
    Console::Clock::time_point now{};
    std::ostringstream out;
    Console console;

    explicit Fixture(LogLevel level, bool terminal)
        : console("ksl", level, out, terminal, [this] { return now; }) {}

    std::string said() {
        std::string text = out.str();
        out.str("");
        return text;
    }
};

}  // namespace

TEST_CASE("without a terminal a line comes every five seconds, led by the stage's name") {
    Fixture test(LogLevel::kInfo, false);
    test.console.start("training", 1000);
    test.console.update(10);
    CHECK(test.said().empty());
    test.now += 5s;
    test.console.update(100);
    CHECK(test.said() == "ksl: training: 10% of 1000 (20/s, 45.0 s left)\n");
    test.now += 4s;
    test.console.update(500);
    CHECK(test.said().empty());
    test.now += 1s;
    test.console.update(500);
    CHECK(test.said() == "ksl: training: 50% of 1000 (50/s, 10.0 s left)\n");
    test.now += 2s;
    test.console.finish();
    CHECK(test.said() == "ksl: training: 1000 in 12.0 s\n");
}

TEST_CASE("work of unknown size shows what is done and how fast") {
    Fixture test(LogLevel::kInfo, false);
    test.console.start("reading", 0);
    test.now += 10s;
    test.console.update(123'456);
    CHECK(test.said() == "ksl: reading: 123456 (12.3 k/s)\n");
}

TEST_CASE("on a terminal the bar is redrawn in place and erased before anything else is said") {
    Fixture test(LogLevel::kInfo, true);
    test.console.start("training", 100);
    test.now += 1s;
    test.console.update(50);
    CHECK(test.said() == "\rksl: training: [============            ] 50% of 100 (50/s, 1.00 s left)\x1b[K");
    test.console.note("remark");
    CHECK(test.said() == "\r\x1b[Kksl: remark\n");
    test.now += 1s;
    test.console.update(200);
    CHECK(test.said().find("100% of 100") != std::string::npos);
    test.console.finish();
    CHECK(test.said() == "\r\x1b[K");
}

TEST_CASE("short work is mentioned to those who debug only, and quiet is quiet") {
    for (const auto& [level, expected] :
         {std::pair(LogLevel::kQuiet, ""), std::pair(LogLevel::kInfo, "ksl: remark\n"),
          std::pair(LogLevel::kDebug, "ksl: remark\nksl: training: 10 in 1.00 s\n")}) {
        Fixture test(level, false);
        test.console.start("training", 10);
        test.console.note("remark");
        test.now += 1s;
        test.console.finish();
        CHECK(test.said() == expected);
    }
}

TEST_CASE("every line of a remark is led by the stage's name") {
    Fixture test(LogLevel::kInfo, false);
    test.console.note("one\ntwo\n\nthree");
    CHECK(test.said() == "ksl: one\nksl: two\nksl: \nksl: three\n");
}

TEST_CASE("details are for those who debug") {
    for (const auto& [level, expected] :
         {std::pair(LogLevel::kInfo, ""), std::pair(LogLevel::kDebug, "ksl: 12 iterations\n")}) {
        Fixture test(level, false);
        test.console.detail("12 iterations");
        CHECK(test.said() == expected);
    }
}

TEST_CASE("equal warnings are one line with their number, before the last line") {
    Fixture test(LogLevel::kInfo, false);
    for (int i = 0; i < 100; ++i) {
        test.console.warn("not converged");
    }
    test.console.warn("another");
    CHECK(test.said().empty());
    test.console.end({.in = 3, .out = 2, .skipped = 1}, 0.5, 1'000'000);
    CHECK(test.said() ==
          "ksl: warning: not converged (100 times)\nksl: warning: another\n"
          "ksl: 3 records in, 2 out, 1 skipped, 0.50 s, peak memory 977 kB\n");
}

TEST_CASE("warnings are said where the work fails, too") {
    std::ostringstream out;
    { Console("ksl", LogLevel::kInfo, out, false).warn("not converged"); }
    CHECK(out.str() == "ksl: warning: not converged\n");
}

TEST_CASE("look-ups end without a line") {
    Fixture test(LogLevel::kInfo, false);
    test.console.end({.in = 3, .out = 2, .skipped = 0, .answers = true}, 0.5, 1'000'000);
    CHECK(test.said().empty());
}

TEST_CASE("for programs every line is a JSON object") {
    std::ostringstream out;
    Console::Clock::time_point now{};
    Console console(
        "ksl", LogLevel::kDebug, out, true, [&] { return now; }, LogFormat::kJson);
    console.start("training", 10);
    now += 6s;
    console.update(5);
    console.note("one\n\"two\" \xff");
    console.finish();
    console.warn("not converged");
    console.warn("not converged");
    console.end({.in = 3, .out = 2, .skipped = 1}, 0.5, 1000);
    CHECK(out.str() ==
          R"({"stage":"ksl","event":"progress","task":"training","done":5,"total":10,"seconds":6.0}
{"stage":"ksl","event":"note","message":"one\n\"two\" �"}
{"stage":"ksl","event":"task","task":"training","done":10,"seconds":6.0}
{"stage":"ksl","event":"warning","message":"not converged","count":2}
{"stage":"ksl","event":"end","in":3,"out":2,"skipped":1,"seconds":0.5,"peak_memory":1000}
)");
    CHECK(error_as_json("ksl", 3, "bad") == R"({"stage":"ksl","event":"error","exit_code":3,"message":"bad"})"
                                            "\n");
}

TEST_CASE("counts and times are short") {
    CHECK(format_count(0) == "0.0");
    CHECK(format_count(9.94) == "9.9");
    CHECK(format_count(12) == "12");
    CHECK(format_count(999.96) == "1.0 k");
    CHECK(format_count(1'234'567) == "1.2 M");
    CHECK(format_seconds(0.254) == "0.25 s");
    CHECK(format_seconds(12.34) == "12.3 s");
    CHECK(format_seconds(245) == "4 min 05 s");
    CHECK(format_seconds(3600 * 3 + 60 * 7 + 20) == "3 h 07 min");
}
