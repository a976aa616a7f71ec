#include "base/parts_folder.hpp"

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "base/output.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline::base;
using treeline::test::TemporaryFolder;

namespace fs = std::filesystem;

namespace {

PartsFolder parts(const TemporaryFolder& folder, double c = 1) {
    const Plan whole = plan_work("tfx", {{"c", c}}, {folder / "in"});
    std::vector<PartsFolder::Part> parts;
    for (const char* const name : {"part-0", "part-1"}) {
        parts.push_back({name, whole});
        parts.back().plan.manifest.options["name"] = std::string(name);
    }
    return {folder / "out", whole, std::move(parts), true};
}

void make(const PartsFolder& folder, std::size_t part) {
    PlannedOutput output = folder.output(part);
    output.begin();
    write_whole_file(output.path(), "bytes");
    output.record({{"rows", std::int64_t{3}}});
}

}  // namespace

TEST_CASE("a folder is finished once all parts are there, and no longer when one is made again") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("in", "x"));
    const PartsFolder made = parts(folder);
    made.make();
    make(made, 1);
    CHECK(made.missing() == std::vector<std::size_t>{0});
    CHECK_FALSE(made.is_finished());
    make(made, 0);
    REQUIRE(made.missing().empty());
    made.finish(made.sum_counts());
    CHECK(made.is_finished());
    const Manifest manifest = read_manifest(folder / "out/manifest.json");
    CHECK(manifest.outputs.size() == 2);
    CHECK(manifest.counts.at("rows") == Manifest::Value(std::int64_t{6}));
    CHECK(fs::exists(folder / "out/_SUCCESS"));

    write_whole_file(folder / "out/part-1", "BYTES");
    CHECK_FALSE(made.is_finished());
    made.reopen();
    CHECK_FALSE(fs::exists(folder / "out/_SUCCESS"));
    CHECK_FALSE(fs::exists(folder / "out/manifest.json"));
}

TEST_CASE("parts of other work and files of other names are told apart") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("in", "x"));
    const PartsFolder made = parts(folder);
    made.make();
    make(made, 0);
    write_whole_file(folder / "out/part-7", "");
    write_whole_file(folder / "out/notes", "");
    CHECK(made.find_others("part-") == std::vector<std::string>{"part-7"});
    CHECK_FALSE(made.is_of_other_work(0));
    const PartsFolder other = parts(folder, 2);
    CHECK(other.is_of_other_work(0));
    CHECK_FALSE(other.is_of_other_work(1));
    CHECK(other.output(0).state() == OutputState::kOther);
    made.remove("part-0");
    CHECK_FALSE(fs::exists(folder / "out/part-0"));
    CHECK_FALSE(fs::exists(folder / "out/part-0.manifest.json"));
}

TEST_CASE("a manifest that cannot be read is no missing part") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("in", "x"));
    const PartsFolder made = parts(folder);
    made.make();
    make(made, 0);
    write_whole_file(folder / "out/part-0.manifest.json", "{");
    CHECK_THROWS_AS(made.missing(), InputError);
}

TEST_CASE("a file has no parts") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("in", "x"));
    static_cast<void>(folder.file("out", "x"));
    CHECK_THROWS_AS(parts(folder).make(), UsageError);
}
