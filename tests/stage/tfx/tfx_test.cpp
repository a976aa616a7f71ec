#include "tfx/tfx.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "kernel/example_kernel.hpp"
#include "store/dictionary.hpp"
#include "support/catch.hpp"
#include "support/sample_dictionary.hpp"
#include "support/temporary_folder.hpp"
#include "tfx/label_numbers.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinAbs;
namespace fs = std::filesystem;

namespace {

struct Setting {
    test::TemporaryFolder folder;
    tfx::Options options;

    explicit Setting(std::size_t examples = 300, std::size_t top = 200) {
        options.input = folder.file("train.dat", test::sample_examples(1, examples));
        options.dictionary = folder / "dict";
        options.output = folder / "vectors";
        test::make_sample_dictionary(options.dictionary, options.input, top);
    }
    stage::Summary run(std::size_t threads = 1) const {
        stage::Summary summary;
        base::run_with_threads(threads, [&] { summary = tfx::run(options, base::silent_observer()); });
        return summary;
    }
    [[nodiscard]] std::map<std::string, std::string> files() const {
        std::map<std::string, std::string> found;
        for (const auto& entry : fs::directory_iterator(options.output)) {
            found[entry.path().filename().string()] = test::slurp(entry.path().string());
        }
        return found;
    }
};

struct Row {
    std::uint64_t id;
    std::string label;
    std::map<std::uint32_t, float> values;
    bool operator==(const Row&) const = default;
};

std::vector<Row> read_rows(const std::string& path) {
    const auto files = store::open_vectors(path);
    store::VectorsReader reader(files);
    store::VectorRow row;
    std::vector<Row> rows;
    while (reader.next(row)) {
        rows.push_back({row.id, std::string(row.label), {}});
        for (std::size_t i = 0; i < row.indices.size(); ++i) {
            rows.back().values[row.indices[i]] = row.values[i];
        }
    }
    return rows;
}

}  // namespace

TEST_CASE("Rows are the examples in order; with all fragments their products are the kernel") {
    Setting setting(40, 0);
    CHECK(setting.run().out == 40);
    const auto rows = read_rows(setting.options.output);
    REQUIRE(rows.size() == 40);
    tree::Forest forest;
    example::ExampleSet examples;
    (void)example::read_examples(setting.options.input, {}, forest, examples);
    kernel::ExampleKernel kernel(kernel::parse_kernel("sst"), forest);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(rows[i].id == i);
        CHECK(rows[i].label == examples.label_text(i));
        for (std::size_t j = 0; j <= i; ++j) {
            double product = 0;
            for (const auto& [index, value] : rows[i].values) {
                const auto other = rows[j].values.find(index);
                product += other == rows[j].values.end() ? 0 : double{value} * double{other->second};
            }
            REQUIRE_THAT(product, WithinAbs(kernel.value(examples, i, examples, j), 1e-5));
        }
    }
}

TEST_CASE("One thread or three, at once or shard by shard: the same bytes") {
    Setting setting(700);
    setting.options.shards = 5;
    setting.run(1);
    const auto expected = setting.files();
    CHECK(expected.count("_SUCCESS") == 1);
    fs::remove_all(setting.options.output);
    setting.run(3);
    CHECK(setting.files() == expected);
    fs::remove_all(setting.options.output);
    setting.options.shards = 1;
    for (const char* const shard : {"3/5", "1/5", "5/5", "2/5"}) {
        setting.options.shard = shard;
        setting.run(2);
        CHECK_FALSE(fs::exists(setting.options.output + "/_SUCCESS"));
    }
    setting.options.shard = "4/5";
    setting.run(1);
    CHECK(setting.files() == expected);

    const auto sharded = read_rows(setting.options.output);
    fs::remove_all(setting.options.output);
    setting.options.shard.clear();
    setting.run(2);
    CHECK(read_rows(setting.options.output) == sharded);
}

TEST_CASE("Parts that are there are not made again; what is missing or damaged is") {
    Setting setting;
    setting.options.shards = 3;
    setting.run();
    const auto expected = setting.files();
    const std::string part = setting.options.output + "/part-00001-of-00003.arrow";
    const std::string other = setting.options.output + "/part-00000-of-00003.arrow";
    const auto time = fs::last_write_time(other);
    CHECK(setting.run().in == 0);
    fs::remove(part);
    setting.run();
    CHECK(setting.files() == expected);
    base::write_whole_file(part, "damaged");
    setting.run();
    CHECK(setting.files() == expected);
    CHECK(fs::last_write_time(other) == time);
}

TEST_CASE("A part that was being made is made again; a file that is not ours is never replaced") {
    Setting setting;
    setting.options.shards = 3;
    setting.run();
    const auto expected = setting.files();
    const std::string part = setting.options.output + "/part-00001-of-00003.arrow";
    base::Manifest plan = base::read_manifest(part + ".manifest.json");
    plan.outputs.clear();
    plan.counts.clear();
    fs::remove(part + ".manifest.json");
    fs::remove(setting.options.output + "/_SUCCESS");
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("no manifest"));
    setting.options.common.force = true;
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("no manifest"));
    setting.options.common.force = false;
    base::write_manifest(setting.options.output + "/.part-00001-of-00003.arrow.tmp-plan", plan);
    setting.run();
    CHECK(setting.files() == expected);

    setting.options.common.force = true;
    base::write_whole_file(setting.options.output + "/part-of-a-novel.txt", "mine");
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("part-of-a-novel.txt"));
    CHECK(fs::exists(setting.options.output + "/part-of-a-novel.txt"));
}

TEST_CASE("A manifest of a part that cannot be read is an error, not a finished run without _SUCCESS") {
    Setting setting;
    setting.options.shards = 2;
    setting.run();
    base::write_whole_file(setting.options.output + "/part-00001-of-00002.arrow.manifest.json", "{");
    setting.options.shards = 1;
    setting.options.shard = "1/2";
    CHECK_THROWS_AS(setting.run(), base::InputError);
}

TEST_CASE("A folder made with another dictionary or other options is refused, unless forced") {
    Setting setting;
    setting.run();
    const auto first = setting.files();
    setting.options.vectorizer.norm = fragment::VectorNorm::kExplicit;
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("other options"));
    setting.options.vectorizer.norm = fragment::VectorNorm::kKernel;
    setting.options.dictionary = setting.folder / "dict2";
    test::make_sample_dictionary(setting.options.dictionary, setting.options.input, 100);
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("made from other inputs"));
    CHECK(setting.files() == first);
    setting.options.common.force = true;
    setting.options.shards = 2;
    setting.run();
    CHECK_FALSE(fs::exists(setting.options.output + "/part-00000-of-00001.arrow"));
    CHECK(read_rows(setting.options.output).size() == 300);
}

TEST_CASE("Norms and flat features are as asked for") {
    Setting setting;
    setting.options.input =
        setting.folder.file("v.dat", "+1 |BT| (S (NP a) (VP b)) |ET| 2:3 5:4 |EV|\n-1 |BT| |ET| 1:1 |EV|\n");
    setting.options.vectorizer.norm = fragment::VectorNorm::kExplicit;
    setting.run();
    const auto size = static_cast<std::uint32_t>(store::Dictionary(setting.options.dictionary).size());
    auto rows = read_rows(setting.options.output);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].values.at(size + 1) == 0.6F);
    CHECK(rows[0].values.at(size + 4) == 0.8F);
    double square = 0;
    for (const auto& [index, value] : rows[0].values) {
        square += index < size ? double{value} * double{value} : 0;
    }
    CHECK_THAT(square, WithinAbs(1, 1e-6));
    CHECK(rows[1].values == std::map<std::uint32_t, float>{{size, 1.0F}});

    setting.options.common.force = true;
    setting.options.vectorizer.vectors = fragment::FlatFeatures::kRaw;
    setting.run();
    CHECK(read_rows(setting.options.output)[0].values.at(size + 4) == 4.0F);
    setting.options.vectorizer.vectors = fragment::FlatFeatures::kNone;
    setting.run();
    CHECK(read_rows(setting.options.output)[1].values.empty());
}

TEST_CASE("A bad line is named; skipped, its number stays free") {
    Setting setting;
    std::string text = test::sample_examples(2, 30);
    std::size_t line = 0;
    for (int i = 0; i < 16; ++i) {
        line = text.find('\n', line) + 1;
    }
    text.insert(line, "+1 |BT| (S (NP a) |ET|\n");
    setting.options.input = setting.folder.file("bad.dat", text);
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("bad.dat:17:"));
    CHECK_FALSE(fs::exists(setting.options.output + "/part-00000-of-00001.arrow"));
    setting.options.common.on_error = stage::OnError::kSkip;
    const auto summary = setting.run();
    CHECK(summary.skipped == 1);
    CHECK(summary.out == 30);
    CHECK(read_rows(setting.options.output)[16].id == 17);
}

TEST_CASE("LIBSVM text: numbers for words, the same in all runs") {
    Setting setting;
    setting.options.input = setting.folder.file("w.dat", test::sample_examples(3, 20, {"NUM", "HUM", "LOC"}));
    setting.options.format = tfx::Format::kLibsvm;
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("--label-numbers"));
    setting.options.label_numbers = setting.folder / "numbers";
    setting.run();
    CHECK_THAT(base::read_whole_file(setting.options.label_numbers),
               StartsWith("1\tHUM\n2\tLOC\n3\tNUM\n# digest "));
    const std::string text = setting.files().at("part-00000-of-00001.svm");
    CHECK(std::ranges::count(text, '\n') == 20);
    setting.options.output = setting.folder / "again";
    setting.options.label_numbers = setting.folder.file("some", "7\tNUM\n8\tHUM\n");
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("the label 'LOC' has no number in"));
}

TEST_CASE("Label numbers: damage is found, files that people wrote are read") {
    const test::TemporaryFolder folder;
    const std::vector<std::string> labels{"HUM", "LOC", "NUM"};
    const tfx::LabelNumbers made{example::ClassSet(labels)};
    made.write(folder / "numbers");
    const std::string whole = test::slurp(folder / "numbers");
    CHECK(tfx::LabelNumbers::read(folder / "numbers").to_text() == made.to_text());
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            CAPTURE(i, bit);
            std::string flipped = whole;
            flipped[i] = static_cast<char>(static_cast<unsigned char>(flipped[i]) ^ (1U << bit));
            // The end of the last label may become a part of it: that label then has no number.
            if (i + 1 == made.to_text().size()) {
                continue;
            }
            CHECK_THROWS_AS(tfx::LabelNumbers::read(folder.file("flipped", flipped)), base::InputError);
        }
    }
    CHECK(tfx::LabelNumbers::read(folder.file("own", "7\tNUM\n\n8\tHUM\n")).number_of("HUM") == "8");
    CHECK_THROWS_WITH(tfx::LabelNumbers::read(folder.file("changed", "4\tABBR\n" + whole)),
                      ContainsSubstring("remove that line if you changed the text yourself"));
    CHECK_THROWS_WITH(tfx::LabelNumbers::read(folder.file("cut", "7\tNUM\n8\tHUM")),
                      ContainsSubstring("end that line if you wrote it yourself"));
}

TEST_CASE("Usage") {
    tfx::Options options;
    options.shard = "2/4";
    CHECK(tfx::shard_range(options) == tfx::ShardRange{1, 2, 4});
    for (const char* const bad : {"0/4", "5/4", "2", "x/4", "2/", "-1/4"}) {
        options.shard = bad;
        CHECK_THROWS_AS(tfx::validate(options), base::UsageError);
    }
    options = {};
    options.shards = 0;
    CHECK_THROWS_AS(tfx::validate(options), base::UsageError);
    options = {};
    options.output = "-";
    CHECK_THROWS_AS(tfx::validate(options), base::UsageError);
    Setting setting;
    setting.options.common.memory = 1 << 20;
    CHECK_THROWS_WITH(setting.run(), ContainsSubstring("need"));
}
