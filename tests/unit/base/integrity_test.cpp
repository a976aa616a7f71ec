#include "base/integrity.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "base/planned_output.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A file with its manifest.
std::string made_file(const test::TemporaryFolder& folder, const std::string& name,
                      const std::string& bytes) {
    std::string path = folder.file(name, bytes);
    base::PlannedOutput(path, base::plan_work("test", {}, {})).record({});
    return path;
}

}  // namespace

TEST_CASE("An input that is not as its manifest says is refused") {
    const test::TemporaryFolder folder;
    const std::string path = made_file(folder, "model", "weights");
    CHECK(base::plan_work("next", {}, {path}).manifest.inputs.size() == 1);
    CHECK(base::verify(path).files == 1);
    (void)folder.file("model", "weighty");
    CHECK_THROWS_WITH(base::plan_work("next", {}, {path}),
                      ContainsSubstring("remove that manifest if you changed"));
    CHECK_THROWS_AS(base::verify(path), base::InputError);
    std::filesystem::remove(base::manifest_path(path));
    CHECK(base::plan_work("next", {}, {path}).manifest.inputs.size() == 1);
    CHECK_THROWS_WITH(base::verify(path), ContainsSubstring("no manifest names it"));
}

TEST_CASE("A file of a folder is compared with the folder's manifest, a folder by names and sizes") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("part", "rows");
    base::Manifest manifest{
        .stage = "test", .version = "1", .options = {}, .counts = {}, .inputs = {}, .outputs = {}};
    manifest.outputs = {base::describe_file(path)};
    base::write_manifest(folder / "manifest.json", manifest);
    CHECK(base::plan_work("next", {}, {path, folder.path()}).manifest.inputs.size() == 2);
    CHECK(base::verify(folder.path()).bytes == 4);
    (void)folder.file("part", "rowS");
    CHECK_THROWS_AS(base::plan_work("next", {}, {path}), base::InputError);
    CHECK_THROWS_AS(base::verify(folder.path()), base::InputError);
    CHECK_NOTHROW(base::plan_work("next", {}, {folder.path()}));
    (void)folder.file("part", "row");
    CHECK_THROWS_WITH(base::plan_work("next", {}, {folder.path()}), ContainsSubstring("not of the 4 bytes"));
}
