#include "base/folder.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <tuple>

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline::base;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("What is in a folder is visited once, what is below it only where that is asked for") {
    const treeline::test::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "below");
    std::ignore = folder.file("a", "");
    std::ignore = folder.file("below/b", "");
    std::multiset<std::string> names;
    const auto note = [&](const std::filesystem::directory_entry& entry) {
        names.insert(entry.path().lexically_relative(folder.path()).string());
    };
    visit_folder(folder.path(), note);
    CHECK(names == std::multiset<std::string>{"a", "below"});
    names.clear();
    visit_folders(folder.path(), note);
    CHECK(names == std::multiset<std::string>{"a", "below", "below/b"});
}

TEST_CASE("A folder that cannot be read is named") {
    const treeline::test::TemporaryFolder folder;
    std::ignore = folder.file("file", "");
    for (const auto& visit : {visit_folder, visit_folders}) {
        CHECK_THROWS_WITH(visit(folder / "none", [](const auto&) {}), ContainsSubstring(folder / "none"));
        CHECK_THROWS_AS(visit(folder / "file", [](const auto&) {}), SystemError);
    }
}
