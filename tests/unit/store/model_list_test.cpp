#include "store/model_list.hpp"

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using namespace treeline::store;

TEST_CASE("a folder of models is listed by its manifest") {
    const test::TemporaryFolder folder;
    const std::vector<ListedModel> models{{class_file_name(0, "NUM"), "NUM", "", 0},
                                          {class_file_name(1, "../x/ä y"), "../x/ä y", "", 2}};
    CHECK(models[0].name == "class-00000-NUM.svm");
    CHECK(models[1].name == "class-00001-xy.svm");
    CHECK(class_file_name(7, "//") == "class-00007.svm");
    CHECK_THROWS_AS(list_models(folder.path()), base::InputError);

    base::Manifest manifest;
    manifest.stage = "ksl";
    manifest.version = base::program_version();
    for (const auto& model : models) {
        manifest.outputs.push_back(base::describe_file(folder.file(model.name, "text")));
    }
    record_models(manifest.counts, models);
    base::write_manifest(base::manifest_path(folder.path()), manifest);
    const auto listed = list_models(folder.path());
    REQUIRE(listed.size() == 2);
    CHECK(listed[1].name == folder / models[1].name);
    CHECK(listed[1].positive == "../x/ä y");
    CHECK(listed[1].negative.empty());
    CHECK(listed[1].split == 2);

    SECTION("a model that was cut is refused") {
        std::ignore = folder.file(models[0].name, "tex");
        CHECK_THROWS_AS(list_models(folder.path()), base::InputError);
    }
    SECTION("names do not lead out of the folder") {
        manifest.outputs[0].name = "../" + models[0].name;
        record_models(manifest.counts, {{manifest.outputs[0].name, "NUM", "", 0}});
        base::write_manifest(base::manifest_path(folder.path()), manifest);
        CHECK_THROWS_AS(list_models(folder.path()), base::InputError);
    }
}

TEST_CASE("a single model is +1 against -1 unless its manifest says otherwise") {
    const test::TemporaryFolder folder;
    const auto path = folder.file("m.svm", "text");
    CHECK(list_models(path)[0].positive == "+1");
    CHECK(list_models(path)[0].negative == "-1");
    base::Manifest manifest;
    manifest.stage = "ksl";
    manifest.outputs.push_back(base::describe_file(path));
    record_models(manifest.counts, {{"m.svm", "yes", "no", 0}});
    base::write_manifest(base::manifest_path(path), manifest);
    CHECK(list_models(path)[0].name == path);
    CHECK(list_models(path)[0].positive == "yes");
    CHECK(list_models(path)[0].negative == "no");
}

TEST_CASE("names of models sort by split") {
    CHECK(store::split_file_name(3, 10, "") == "split-003-of-010.svm");
    CHECK(store::split_file_name(3, 10, "class-00000-A.svm") == "split-003-of-010.class-00000-A.svm");
    CHECK(store::split_file_name(3, 12345, "") == "split-00003-of-12345.svm");
}
