#include "common/outputs.hpp"

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/output.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;
using treeline::test::TemporaryFolder;

namespace {

/// One run of a stage with two outputs; whether it had to work.
struct Run {
    const TemporaryFolder& folder;
    stage::CommonOptions common;
    double c = 1;
    std::string output = "model";

    bool operator()() {
        stage::Outputs outputs(
            stage::plan_work("ksl", {{"c", stage::value_of(c)}}, common, {folder / "train.dat"}),
            {{folder / output, {}}, {folder / "metrics", "metrics"}, {}}, common, base::silent_observer());
        if (!outputs.begin()) {
            return false;
        }
        base::write_whole_file(folder / output, "weights");
        base::write_whole_file(folder / "metrics", "numbers");
        outputs.record({{"examples", stage::value_of(1)}});
        return true;
    }
};

}  // namespace

TEST_CASE("work is done once, again when something changed, and over other work only when asked to") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("train.dat", "examples"));
    Run run{.folder = folder, .common = {}};
    CHECK(run());
    CHECK_FALSE(run());
    std::filesystem::remove(folder / "metrics");
    CHECK(run());
    static_cast<void>(folder.file("model", "damaged"));
    CHECK(run());

    run.c = 2;
    CHECK_THROWS_WITH(run(), ContainsSubstring("use --force"));
    run.common.refresh = true;
    CHECK(run());
    CHECK_FALSE(run());
    run.common.force = true;
    CHECK(run());
    CHECK(run());
}

TEST_CASE("what is done with records that cannot be read is part of every plan") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("train.dat", "examples"));
    Run run{.folder = folder, .common = {}};
    run.common.on_error = stage::OnError::kSkip;
    CHECK(run());
    run.common.on_error = stage::OnError::kFail;
    CHECK_THROWS_AS(run(), base::UsageError);
}

TEST_CASE("what is not ours, an input, and one file for two outputs are refused, be it by force") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("train.dat", "examples"));
    static_cast<void>(folder.file("model", "mine"));
    Run run{.folder = folder, .common = {}};
    for (const bool force : {false, true}) {
        run.common.force = force;
        run.output = "model";
        CHECK_THROWS_WITH(run(), ContainsSubstring("no manifest names it"));
        run.output = "train.dat";
        CHECK_THROWS_WITH(run(), ContainsSubstring("is or holds the input"));
        run.output = "metrics";
        CHECK_THROWS_WITH(run(), ContainsSubstring("two outputs are the same file"));
        run.output = "missing/model";
        CHECK_THROWS_WITH(run(), ContainsSubstring("make it first"));
    }
    CHECK(folder.names().size() == 2);
}

TEST_CASE("a manifest that cannot be read is the reason given, and a file beside it may be replaced") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("train.dat", "examples"));
    Run run{.folder = folder, .common = {}};
    CHECK(run());
    std::string manifest = base::read_whole_file(folder / "model.manifest.json", 10'000);
    manifest.replace(manifest.find("train.dat"), 1, "b");
    static_cast<void>(folder.file("model.manifest.json", manifest));
    CHECK_THROWS_WITH(run(),
                      ContainsSubstring("its manifest cannot be read") && ContainsSubstring("damaged"));
    run.common.force = true;
    CHECK(run());
}
