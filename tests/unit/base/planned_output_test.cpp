#include "base/planned_output.hpp"

#include <filesystem>
#include <string>

#include "base/checksums.hpp"
#include "base/error.hpp"
#include "base/output.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline::base;
using treeline::test::TemporaryFolder;
using enum OutputState;

namespace fs = std::filesystem;

namespace {

Plan plan(const TemporaryFolder& folder, double c = 1) {
    return plan_work("ksl", {{"c", c}}, {folder / "train.dat"});
}

PlannedOutput output(const TemporaryFolder& folder, double c = 1) {
    return {folder / "model", plan(folder, c)};
}

/// A file made by the plan.
void make(const TemporaryFolder& folder, double c = 1) {
    PlannedOutput made = output(folder, c);
    made.begin();
    write_whole_file(made.path(), "weights");
    made.record({{"examples", std::int64_t{1}}});
}

/// A folder made by the plan.
void make_folder(const TemporaryFolder& folder) {
    AtomicFolder temporary(folder / "model");
    write_whole_file(temporary.temporary_path() + "/a", "first");
    write_whole_file(temporary.temporary_path() + "/b", "second");
    output(folder).commit(temporary, {});
}

}  // namespace

TEST_CASE("a plan holds the version, the options and the digests of the inputs") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "dict");
    write_whole_file(folder / "dict/manifest.json", "text");
    fs::create_directory(folder / "bare");
    const Plan planned = plan_work("tfx", {{"top", std::int64_t{7}}},
                                   {folder.file("train.dat", "abc"), folder / "dict/", "-", folder / "bare"});
    CHECK(planned.manifest.stage == "tfx");
    CHECK(planned.manifest.version == program_version());
    REQUIRE(planned.manifest.inputs.size() == 4);
    CHECK(planned.manifest.inputs[0] == describe_file(folder / "train.dat"));
    CHECK(planned.manifest.inputs[1].name == "dict/manifest.json");
    CHECK_FALSE(planned.manifest.inputs[1].digest.empty());
    CHECK(planned.manifest.inputs[2].digest.empty());
    CHECK(planned.manifest.inputs[3].digest.empty());
    CHECK_FALSE(planned.knows_inputs());
    CHECK_THROWS_AS(plan_work("tfx", {}, {folder / "missing"}), SystemError);
}

TEST_CASE("a file is current only while everything about it is as it was") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("train.dat", "examples"));
    CHECK(output(folder).state() == kMissing);
    make(folder);
    CHECK(output(folder).state() == kCurrent);
    CHECK(folder.names().size() == 3);

    CHECK(output(folder, 2).state() == kOther);
    CHECK(PlannedOutput(folder / "model", plan(folder), "metrics").state() == kOther);
    static_cast<void>(folder.file("model", "Weights"));
    CHECK(output(folder).state() == kUnfinished);
    static_cast<void>(folder.file("model", "weights and more"));
    CHECK(output(folder).state() == kUnfinished);
    fs::remove(folder / "model");
    CHECK(output(folder).state() == kMissing);
    make(folder);
    static_cast<void>(folder.file("train.dat", "Examples"));
    CHECK(output(folder).state() == kOther);
    static_cast<void>(folder.file("model.manifest.json", "damaged"));
    CHECK(output(folder).state() == kOther);
    fs::remove(folder / "model.manifest.json");
    CHECK(output(folder).state() == kForeign);
}

TEST_CASE("work on inputs that are not known is never current") {
    const TemporaryFolder folder;
    PlannedOutput made(folder / "model", plan_work("ksl", {}, {"-"}));
    made.begin();
    write_whole_file(made.path(), "weights");
    made.record({});
    CHECK(made.state() == kOther);
}

TEST_CASE("a file that appeared before its run was killed is ours") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("train.dat", "examples"));
    {
        PlannedOutput killed = output(folder);
        killed.begin();
        write_whole_file(killed.path(), "weights");
    }
    CHECK(output(folder).state() == kUnfinished);
    {
        PlannedOutput failed = output(folder);
        failed.begin();
    }
    CHECK(output(folder).state() == kUnfinished);
    CHECK(output(folder, 2).state() == kOther);
    CHECK_FALSE(output(folder, 2).holds_foreign());
    make(folder);
    CHECK(output(folder).state() == kCurrent);
    CHECK(folder.names().size() == 3);
}

TEST_CASE("a run that fails before its file appears leaves nothing") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("train.dat", "examples"));
    {
        PlannedOutput failed = output(folder);
        failed.begin();
    }
    CHECK(folder.names() == std::vector<std::string>{"train.dat"});
}

TEST_CASE("streams are written in passing") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("train.dat", "examples"));
    for (const char* const path : {"-", "/dev/null"}) {
        PlannedOutput stream(path, plan(folder));
        CHECK(stream.state() == kMissing);
        stream.begin();
        stream.record({});
        CHECK_FALSE(fs::exists(std::string(path) + ".manifest.json"));
    }
}

TEST_CASE("a folder is current while its files are what the manifest says") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("train.dat", "examples"));
    make_folder(folder);
    CHECK(output(folder).state() == kCurrent);
    CHECK(output(folder, 2).state() == kOther);
    CHECK_FALSE(output(folder).holds_foreign());

    write_whole_file(folder / "model/notes.txt", "mine");
    CHECK(output(folder).state() == kCurrent);
    CHECK(output(folder).holds_foreign());
    CHECK(output(folder, 2).state() == kForeign);
    fs::remove(folder / "model/notes.txt");
    write_whole_file(folder / "model/a", "other");
    CHECK(output(folder).state() == kUnfinished);
    fs::remove(folder / "model/manifest.json");
    CHECK(output(folder).state() == kForeign);
    fs::remove_all(folder / "model");
    fs::create_directory(folder / "model");
    CHECK(output(folder).state() == kMissing);
}

TEST_CASE("a note that a killed run left beside its folder goes when the folder is made again") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("train.dat", "abc"));
    const std::string note = folder / ".model.tmp-plan";
    {
        PlannedOutput killed = output(folder);
        killed.begin();
        fs::copy(note, folder / "kept");
    }
    make_folder(folder);
    fs::remove(folder / "model/a");
    fs::rename(folder / "kept", note);
    PlannedOutput again = output(folder);
    CHECK(again.state() == kUnfinished);
    again.begin();
    CHECK_FALSE(fs::exists(note));
}

TEST_CASE("what an interrupted run has kept is the same work, unfinished") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("train.dat", "examples"));
    make_folder(folder);
    Manifest made = read_manifest(folder / "model/manifest.json");
    made.options[kInterruptedOption] = true;
    write_manifest(folder / "model/manifest.json", made);
    CHECK(output(folder).state() == kUnfinished);
    CHECK(output(folder, 2).state() == kOther);
}

TEST_CASE("a list of checksums stands for the outputs of a folder") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("train.dat", "examples"));
    fs::create_directory(folder / "model");
    write_manifest(folder / "model/manifest.json", plan(folder).manifest);
    CHECK(output(folder).state() == kUnfinished);
    write_whole_file(folder / "model/a.sst", "table");
    CHECK(write_checksums(folder / "model") > 5);
    CHECK(output(folder).state() == kCurrent);
    CHECK_FALSE(output(folder).holds_foreign());
    write_whole_file(folder / "model/a.sst", "tablE");
    CHECK(output(folder).state() == kUnfinished);
    write_whole_file(folder / "model/checksums.xxh128", "nonsense\n");
    CHECK_THROWS_AS(read_checksums(folder / "model"), InputError);
    CHECK(output(folder).state() != kCurrent);
}

TEST_CASE("a folder within a folder is known by its own list of checksums") {
    const TemporaryFolder folder;
    static_cast<void>(folder.file("train.dat", "examples"));
    AtomicFolder temporary(folder / "model");
    const std::string inside = temporary.temporary_path();
    write_whole_file(inside + "/weights", "1 2");
    fs::create_directory(inside + "/dict");
    write_whole_file(inside + "/dict/table", "differs from run to run");
    write_manifest(inside + "/dict/manifest.json", plan(folder).manifest);
    (void)write_checksums(inside + "/dict");
    output(folder).commit(temporary, {});
    const Manifest made = read_manifest(folder / "model/manifest.json");
    REQUIRE(made.outputs.size() == 2);
    CHECK(made.outputs[0].name == "dict/manifest.json");
    CHECK(made.outputs[1].name == "weights");
    CHECK(output(folder).state() == kCurrent);
    CHECK_FALSE(output(folder).holds_foreign());
    write_whole_file(folder / "model/dict/table", "differs from run to Run");
    CHECK(output(folder).state() == kUnfinished);
    write_whole_file(folder / "model/dict/notes", "mine");
    CHECK(output(folder).holds_foreign());
    fs::remove_all(folder / "model/dict");
    CHECK(output(folder).state() == kUnfinished);
}

TEST_CASE("an output that is an input is found by whatever name") {
    const TemporaryFolder folder;
    const std::string train = folder.file("train.dat", "examples");
    const Plan planned = plan(folder);
    fs::create_symlink(train, folder / "link");
    fs::create_hard_link(train, folder / "hard");
    for (const std::string& name :
         {train, folder / "link", folder / "hard", folder / "./train.dat", folder.path()}) {
        INFO(name);
        CHECK(PlannedOutput(name, planned).find_input_in_it() == train);
    }
    CHECK(PlannedOutput(folder / "model", planned).find_input_in_it().empty());
    CHECK(PlannedOutput("-", plan_work("ksl", {}, {"-"})).find_input_in_it().empty());
    CHECK(PlannedOutput("/dev/null", plan_work("ksl", {}, {"/dev/null"})).find_input_in_it().empty());
}
