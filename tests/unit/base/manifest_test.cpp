#include "base/manifest.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/output.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline::base;
using Catch::Matchers::ContainsSubstring;
using treeline::test::TemporaryFolder;

namespace {

Manifest sample() {
    Manifest manifest;
    manifest.stage = "ksl";
    manifest.version = "0.1.0";
    manifest.options = {{"kernel", std::string("sst(lambda=0.4)")},
                        {"c", 1.0},
                        {"tiny", 5e-324},
                        {"seed", std::int64_t{1}},
                        {"lowest", INT64_MIN},
                        {"largest", INT64_MAX},
                        {"bias", true}};
    manifest.counts = {{"examples", std::int64_t{5483}}};
    manifest.inputs = {{"train.dat", "00", UINT64_MAX}};
    manifest.outputs = {{"model \"x\"\n", "ff", 0}};
    return manifest;
}

const char* const kCanonical = R"({
  "counts": {
    "examples": 2
  },
  "format": 1,
  "inputs": [
    {
      "bytes": 3,
      "digest": "00",
      "name": "a.dat"
    }
  ],
  "options": {
    "c": 1.0,
    "force": false
  },
  "outputs": [],
  "stage": "ksl",
  "version": "0.1.0"
}
)";

std::string with(const std::string& part, const std::string& replacement) {
    std::string json = kCanonical;
    REQUIRE(json.find(part) != std::string::npos);
    return json.replace(json.find(part), part.size(), replacement);
}

}  // namespace

TEST_CASE("a manifest survives being written and read") {
    CHECK(manifest_from_json("x", to_json(sample())) == sample());
    CHECK(manifest_from_json("x", to_json(Manifest{})) == Manifest{});
    const TemporaryFolder folder;
    write_manifest(folder / "manifest.json", sample());
    CHECK(read_manifest(folder / "manifest.json") == sample());
}

TEST_CASE("a manifest has one spelling") {
    const Manifest manifest = manifest_from_json("x", kCanonical);
    CHECK(manifest.inputs.at(0) == Manifest::File{"a.dat", "00", 3});
    CHECK(manifest.options.at("c") == Manifest::Value(1.0));
    CHECK(manifest.counts.at("examples") == Manifest::Value(std::int64_t{2}));
    const std::string digest = "  \"digest\": \"" + digest_bytes(kCanonical) + "\",\n";
    CHECK(to_json(manifest) == with("  \"format\"", digest + "  \"format\""));
}

TEST_CASE("no flipped bit of a manifest changes what is read") {
    const std::string json = to_json(sample());
    for (std::size_t i = 0; i < json.size() * 8; ++i) {
        std::string flipped = json;
        flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << (i % 8)));
        Manifest read = sample();
        try {
            read = manifest_from_json("m.json", flipped);
        } catch (const InputError&) {
        }
        INFO(flipped);
        CHECK(read == sample());
    }
}

TEST_CASE("a manifest that contradicts its digest is refused, one without a digest is read") {
    std::string json = to_json(sample());
    json.replace(json.find("5483"), 4, "5482");
    CHECK_THROWS_WITH(manifest_from_json("m.json", json), ContainsSubstring("m.json: damaged: its digest"));
    json.erase(json.find("  \"digest\": \"", json.find('}')), 2 + 10 + 34 + 2);
    INFO(json);
    CHECK(manifest_from_json("m.json", json).counts.at("examples") == Manifest::Value(std::int64_t{5482}));
}

TEST_CASE("a name that is not UTF-8 does not stop the manifest") {
    Manifest manifest;
    manifest.stage = "\xff";
    CHECK_THAT(to_json(manifest), ContainsSubstring("\xef\xbf\xbd"));
}

TEST_CASE("what is not a manifest is refused with the path and the reason") {
    CHECK_THROWS_WITH(manifest_from_json("m.json", "{"), "m.json: not a manifest: not valid JSON");
    CHECK_THROWS_WITH(manifest_from_json("m.json", "{}"), "m.json: not a manifest: 'format' is missing");
    CHECK_THROWS_WITH(manifest_from_json("m.json", with("\"format\": 1", "\"format\": 2")),
                      "m.json: not a manifest: 'format' is not 1");
    const std::vector<std::string> broken = {
        "",
        "[]",
        "1",
        "null",
        std::string(100'000, '['),
        with("\"stage\": \"ksl\"", "\"stage\": 1"),
        with("\"stage\": \"ksl\"", "\"step\": \"ksl\""),
        with("\"c\": 1.0", "\"c\": null"),
        with("\"c\": 1.0", "\"c\": [1]"),
        with("\"c\": 1.0", "\"c\": 1e999"),
        with("\"c\": 1.0", "\"c\": 9223372036854775808"),
        with("\"outputs\": []", "\"outputs\": {}"),
        with("\"outputs\": []", "\"outputs\": [1]"),
        with("\"bytes\": 3", "\"bytes\": -3"),
        with("\"bytes\": 3", "\"bytes\": 3.5"),
        with("\"digest\": \"00\"", "\"digest\": 0"),
        with("\"examples\": 2\n  }", "\"examples\": 2\n  }, \"counts\": 3"),
        std::string(kCanonical) + "x",
    };
    for (const std::string& json : broken) {
        INFO(json.substr(0, 100));
        CHECK_THROWS_AS(manifest_from_json("m.json", json), InputError);
    }
}

TEST_CASE("the manifest of a folder is in it, that of a file beside it") {
    const TemporaryFolder folder;
    CHECK(manifest_path(folder.path()) == folder / "manifest.json");
    CHECK(manifest_path("dict/") == "dict/manifest.json");
    CHECK(manifest_path("model.svm") == "model.svm.manifest.json");
}

TEST_CASE("a file is described by name, digest and size") {
    const TemporaryFolder folder;
    CHECK(describe_file(folder.file("x", "")) == Manifest::File{"x", "99aa06d3014798d86001c324468d497f", 0});
    CHECK_THROWS_AS(describe_file(folder / "missing"), SystemError);
}

TEST_CASE("the version has three numbers") {
    CHECK_THAT(program_version(), Catch::Matchers::Matches("[0-9]+\\.[0-9]+\\.[0-9]+"));
}
