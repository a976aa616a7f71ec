#include "common/manifest.hpp"

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "base/output.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using treeline::test::TemporaryFolder;

namespace {

base::Manifest plan(const TemporaryFolder& folder, double c = 1) {
    return stage::plan_manifest("ksl", {{"c", stage::value_of(c)}}, {folder / "train.dat"});
}

bool needs_work(const TemporaryFolder& folder, const base::Manifest& planned, bool force = false) {
    return stage::needs_work(folder / "model", planned, force, base::silent_observer());
}

}  // namespace

TEST_CASE("a plan holds the version, the options and the digests of the inputs") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "dict");
    base::write_whole_file(folder / "dict/manifest.json", "text");
    const base::Manifest planned = stage::plan_manifest(
        "tfx", {{"top", stage::value_of(std::size_t{7})}, {"bias", stage::value_of(true)}},
        {folder.file("train.dat", "abc"), folder / "dict/", "-"});
    CHECK(planned.stage == "tfx");
    CHECK(planned.version == base::program_version());
    CHECK(planned.options.at("top") == base::Manifest::Value(std::int64_t{7}));
    CHECK(planned.options.at("bias") == base::Manifest::Value(true));
    REQUIRE(planned.inputs.size() == 3);
    CHECK(planned.inputs[0] == base::describe_file(folder / "train.dat"));
    CHECK(planned.inputs[1].name == "dict/manifest.json");
    CHECK(planned.inputs[2].digest.empty());
    CHECK_THROWS_AS(stage::plan_manifest("tfx", {}, {folder / "missing"}), base::SystemError);
}

TEST_CASE("work is done once, again when something changed, and over other files only by force") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("train.dat", "examples"));
    CHECK(needs_work(folder, plan(folder)));
    base::write_whole_file(folder / "model", "weights");
    CHECK_THROWS_AS(needs_work(folder, plan(folder)), base::UsageError);
    CHECK(needs_work(folder, plan(folder), true));

    stage::record_output(folder / "model", plan(folder), {{"examples", stage::value_of(1)}});
    CHECK(base::read_manifest(folder / "model.manifest.json").counts.at("examples") ==
          base::Manifest::Value(std::int64_t{1}));
    CHECK_FALSE(needs_work(folder, plan(folder)));
    CHECK_FALSE(needs_work(folder, plan(folder), true));

    CHECK_THROWS_AS(needs_work(folder, plan(folder, 2)), base::UsageError);
    CHECK(needs_work(folder, plan(folder, 2), true));
    static_cast<void>(folder.file("model", "damaged"));
    CHECK(needs_work(folder, plan(folder), true));
    static_cast<void>(folder.file("model.manifest.json", "damaged"));
    CHECK(needs_work(folder, plan(folder), true));
}

TEST_CASE("what came from stdin is never up to date, and stdout has no manifest") {
    const TemporaryFolder folder;
    const base::Manifest planned = stage::plan_manifest("ksl", {}, {"-"});
    base::write_whole_file(folder / "model", "weights");
    stage::record_output(folder / "model", planned, {});
    CHECK(needs_work(folder, planned, true));
    stage::record_output("-", planned, {});
    stage::record_output("/dev/null", planned, {});
    CHECK_FALSE(std::filesystem::exists("/dev/null.manifest.json"));
    CHECK_FALSE(std::filesystem::exists("-.manifest.json"));
}
