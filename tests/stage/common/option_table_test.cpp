#include "common/option_table.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "common/binding.hpp"
#include "support/catch.hpp"

using namespace treeline;
using stage::closest;

TEST_CASE("A misspelt word is close to what was meant, another word to nothing") {
    const std::vector<std::string> names{"--input", "--output",      "--iterations",
                                         "--cost",  "--cost-factor", "--start-from"};
    CHECK(closest("--inptu", names) == "--input");
    CHECK(closest("--ouput", names) == "--output");
    CHECK(closest("--iter", names) == "--iterations");
    CHECK(closest("--costs", names) == "--cost");
    CHECK(closest("--start", names) == "--start-from");
    CHECK_FALSE(closest("--quick", names));
    CHECK_FALSE(closest("--x", {}));
}

TEST_CASE("Options as JSON tell kind, default, choices and both names of a flag") {
    CLI::App app("", "program");
    app.option_defaults()->always_capture_default();
    std::uint32_t count = 3;
    bool bias = true;
    std::string word = "b";
    std::vector<double> numbers;
    stage::add_count(app, "-n,--count", count, "how many")->required();
    app.add_flag("--bias,!--no-bias", bias, "with a bias");
    stage::add_choice<std::string>(app, "--word", word, {{"a", "a"}, {"b", "b"}}, "one of two");
    stage::add_number(app, "--values", numbers, "some")->delimiter(',');
    app.add_subcommand("top", "the best")->add_option("folder", word, "where")->type_name("FOLDER");
    const auto table = nlohmann::json::parse(stage::options_as_json(app, {"program", "counts", "", "", ""}));
    const auto find = [](const nlohmann::json& options, const std::string& name) {
        for (const auto& option : options) {
            if (option["name"] == name) {
                return option;
            }
        }
        return nlohmann::json();
    };
    CHECK(table["name"] == "program");
    CHECK(table["purpose"] == "counts");
    const auto& options = table["options"];
    CHECK(find(options, "--count") ==
          nlohmann::json::parse(R"({"name": "--count", "short": "-n", "kind": "count", "type": "N",
        "default": "3", "required": true, "group": "Options", "description": "how many"})"));
    CHECK(find(options, "--bias")["off"] == "--no-bias");
    CHECK(find(options, "--bias")["kind"] == "flag");
    CHECK(find(options, "--word")["choices"] == nlohmann::json({"a", "b"}));
    CHECK(find(options, "--word")["default"] == "b");
    CHECK(find(options, "--values")["repeated"] == true);
    CHECK(table["commands"][0]["name"] == "top");
    CHECK(find(table["commands"][0]["options"], "folder")["kind"] == "path");
}

TEST_CASE("Counts take digits within their range only") {
    const auto parse = [](const std::string& text) {
        CLI::App app;
        std::uint8_t value = 0;
        stage::add_count(app, "--count", value, "", {.least = 1, .most = 1000});
        app.parse("--count=" + text);
        return static_cast<int>(value);
    };
    CHECK(parse("7") == 7);
    CHECK(parse("010") == 10);
    CHECK(parse("255") == 255);
    for (const char* text : {"-1", "0", "256", "1e2", "0x10", "1.0", "x", "99999999999999999999"}) {
        CHECK_THROWS_AS(parse(text), CLI::ValidationError);
    }
}
