#include <filesystem>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/data.hpp"

using namespace treeline::test;

TEST_CASE("The project's own files are found from any working directory") {
    CHECK(std::filesystem::exists(project_file("CMakeLists.txt")));
}

TEST_CASE("A data file that is missing is an error that names it") {
    CHECK_THROWS_WITH(data_file("no/such/file"), Catch::Matchers::ContainsSubstring("no/such/file"));
}
