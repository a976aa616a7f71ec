#include "common/stage.hpp"

#include <cerrno>
#include <functional>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "support/catch.hpp"

using namespace treeline;
using namespace treeline::stage;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Matches;

namespace {

/// What a stream got while this lived.
class Captured {
  public:
    explicit Captured(std::ostream& stream) : stream_(stream), saved_(stream.rdbuf(text_.rdbuf())) {}
    ~Captured() { stream_.rdbuf(saved_); }
    Captured(const Captured&) = delete;
    Captured& operator=(const Captured&) = delete;
    [[nodiscard]] std::string text() const { return text_.str(); }

  private:
    std::ostringstream text_;
    std::ostream& stream_;
    std::streambuf* saved_;
};

enum class Fruit { kApple, kPear };

struct Options {
    std::string input;
    double cost = 1;
    Fruit fruit = Fruit::kApple;
    CommonOptions common;
};

struct Outcome {
    int code;
    std::string out;
    std::string err;
    Options options;
    bool worked = false;
};

Outcome run(
    std::vector<const char*> arguments, const std::function<Summary()>& work = [] { return Summary{}; }) {
    Outcome outcome{};
    Options& options = outcome.options;
    Stage stage({.name = "demo",
                 .purpose = "Shows how a stage is made.",
                 .example = "demo --input train.dat -c 2",
                 .reads = "examples",
                 .writes = "nothing"},
                options.common,
                {Common::kThreads, Common::kMemory, Common::kSeed, Common::kForce, Common::kOnError});
    stage.app().add_option("--input", options.input, "examples; - is stdin")->required();
    stage.app().add_option("-c,--cost", options.cost, "cost of errors");
    add_choice(stage.app(), "--fruit", options.fruit, {{"apple", Fruit::kApple}, {"pear", Fruit::kPear}},
               "fruit");
    arguments.insert(arguments.begin(), "demo");
    const Captured out(std::cout);
    const Captured err(std::cerr);
    outcome.code = stage.run(static_cast<int>(arguments.size()), arguments.data(), [&](auto&) {
        outcome.worked = true;
        return work();
    });
    outcome.out = out.text();
    outcome.err = err.text();
    return outcome;
}

}  // namespace

TEST_CASE("options land in the struct, and the defaults stay") {
    const Outcome set = run({"--input", "x", "-c", "-2.5", "--threads", "2", "--memory", "1G", "--seed", "9",
                             "--force", "--on-error", "skip", "--log-level", "debug", "--fruit", "pear"});
    CHECK(set.code == 0);
    CHECK(set.options.input == "x");
    CHECK(set.options.cost == -2.5);
    CHECK(set.options.fruit == Fruit::kPear);
    CHECK(set.options.common.threads == 2);
    CHECK(set.options.common.memory == 1 << 30);
    CHECK(set.options.common.seed == 9);
    CHECK(set.options.common.force);
    CHECK(set.options.common.on_error == OnError::kSkip);
    CHECK(set.options.common.log_level == LogLevel::kDebug);
    const Outcome unset = run({"--input=-"});
    CHECK(unset.options.input == "-");
    CHECK(unset.options.cost == 1);
    CHECK(unset.options.common.memory == base::machine_memory() / 2);
    CHECK(unset.options.common.seed == 1);
}

TEST_CASE("usage errors are one line with a hint, exit code 2, and no work") {
    const std::vector<std::pair<std::vector<const char*>, std::string>> table = {
        {{}, "--input is required"},
        {{"--input", "x", "--colour"}, "--colour"},
        {{"--input", "x", "more"}, "more"},
        {{"--input"}, "--input"},
        {{"--input", "x", "-c", "much"}, "much"},
        {{"--input", "x", "--threads", "-1"}, "--threads"},
        {{"--input", "x", "--threads", "99999"}, "--threads"},
        {{"--input", "x", "--memory", "lots"}, "--memory: not a size: 'lots'"},
        {{"--input", "x", "--on-error", "cry"}, "--on-error: 'cry' is none of fail|skip"},
        {{"--input", "x", "--log-level", "loud"}, "quiet|info|debug"},
    };
    for (const auto& [arguments, expected] : table) {
        const Outcome outcome = run(arguments);
        INFO(outcome.err);
        CHECK(outcome.code == 2);
        CHECK_FALSE(outcome.worked);
        CHECK(outcome.out.empty());
        CHECK_THAT(outcome.err, ContainsSubstring(expected));
        CHECK_THAT(outcome.err, Matches("demo: [^\n]*[;?] see demo --help\n"));
    }
}

TEST_CASE("help goes to stdout with purpose, example, files and defaults") {
    const Outcome outcome = run({"--help"});
    CHECK(outcome.code == 0);
    CHECK(outcome.err.empty());
    CHECK_FALSE(outcome.worked);
    for (const char* part :
         {"demo: Shows how a stage is made.", "demo --input train.dat -c 2", "Reads:\n  examples",
          "Writes:\n  nothing", "-c,--cost FLOAT", "--fruit apple|pear", "--memory SIZE", "50%",
          "--on-error fail|skip", "--log-level quiet|info|debug", "--threads N", "--version"}) {
        CHECK_THAT(outcome.out, ContainsSubstring(part));
    }
}

TEST_CASE("the version goes to stdout") {
    const Outcome outcome = run({"--version"});
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, Matches("demo \\(Treeline\\) [0-9.]+\n"));
}

TEST_CASE("every kind of failure has its exit code and its line") {
    using Work = std::function<Summary()>;
    const std::vector<std::tuple<Work, int, std::string>> table = {
        {[]() -> Summary { throw base::Error("went wrong"); }, 1, "demo: went wrong\n"},
        {[]() -> Summary { throw base::UsageError("no"); }, 2, "demo: no; see demo --help\n"},
        {[]() -> Summary {
             throw base::InputError({"a.dat", 17, 42}, "bad");
         },
         3, "demo: a.dat:17:42: bad\n"},
        {[]() -> Summary { throw base::SystemError("read", "x", EIO); }, 1,
         "demo: cannot read 'x': Input/output error\n"},
        {[]() -> Summary { throw base::SystemError("write", "stdout", EPIPE); }, 1, ""},
        {[]() -> Summary { throw std::runtime_error("two\nlines"); }, 1, "demo: two lines\n"},
    };
    for (const auto& [work, code, line] : table) {
        const Outcome outcome = run({"--input", "x"}, work);
        CHECK(outcome.code == code);
        CHECK(outcome.err == line);
        CHECK(outcome.out.empty());
    }
    const Outcome outcome = run({"--input", "x"}, []() -> Summary { throw std::bad_alloc(); });
    CHECK(outcome.code == 1);
    CHECK_THAT(outcome.err, ContainsSubstring("demo: out of memory; lower --memory"));
}

TEST_CASE("a run ends with one summary line, unless it is to be quiet") {
    const auto work = [] { return Summary{.in = 10, .out = 8, .skipped = 2}; };
    CHECK_THAT(run({"--input", "x"}, work).err,
               Matches("demo: 10 records in, 8 out, 2 skipped, [0-9.]+ s, peak memory [0-9.]+ [kMG]B\n"));
    CHECK(run({"--input", "x", "--log-level", "quiet"}, work).err.empty());
}

TEST_CASE("the work runs on the threads asked for") {
    std::size_t threads = 0;
    run({"--input", "x", "--threads", "3"}, [&] {
        threads = base::current_threads();
        return Summary{};
    });
    CHECK(threads == 3);
}

TEST_CASE("data that stdout did not take is a failure") {
    const Outcome outcome = run({"--input", "x"}, [] {
        std::cout.setstate(std::ios::badbit);
        return Summary{};
    });
    CHECK(outcome.code == 1);
    CHECK_THAT(outcome.err, ContainsSubstring("demo: cannot write 'stdout'"));
}

TEST_CASE("subcommands share the common options") {
    CommonOptions common;
    Stage stage({.name = "demo", .purpose = "", .example = "", .reads = "", .writes = ""}, common,
                {Common::kSeed});
    stage.app().require_subcommand(1);
    std::string output;
    stage.app().add_subcommand("make", "Makes it.")->add_option("--output", output, "where to");
    const std::vector<const char*> arguments = {"demo", "make", "--output", "x", "--seed", "5"};
    const Captured err(std::cerr);
    CHECK(stage.run(static_cast<int>(arguments.size()), arguments.data(), [](auto&) { return Summary{}; }) ==
          0);
    CHECK(output == "x");
    CHECK(common.seed == 5);
}
