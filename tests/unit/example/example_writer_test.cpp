#include "example/example_writer.hpp"

#include "base/error.hpp"
#include "example/example_parser.hpp"
#include "example/example_reader.hpp"
#include "support/catch.hpp"
#include "support/random_trees.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using example::ExampleFormat;
using example::ExampleWriter;

namespace {

example::Example parsed(std::string_view line,
                        example::ExampleFormat format = example::ExampleFormat::kSvmLightTk) {
    example::Example example;
    example::ExampleParser().parse(line, format, example);
    return example;
}

std::string written(const example::Example& example, ExampleFormat format, std::uint32_t tree = 0,
                    std::uint32_t vector = 0) {
    ExampleWriter writer({.format = format, .tree = tree, .vector = vector});
    std::string text;
    writer.append(text, example);
    return text;
}

}  // namespace

TEST_CASE("one example in every format") {
    const auto example = parsed("+1 cost:2 |BT| (A (b)) |ET| 1:0.5 7:1 |EV|");
    CHECK(written(example, ExampleFormat::kSvmLightTk) == "+1 cost:2 |BT| (A b) |ET| 1:0.5 7:1 |EV|\n");
    CHECK(written(example, ExampleFormat::kLabelTabTree) == "+1\tcost:2\t(A b)\n");
    CHECK(written(example, ExampleFormat::kTrees) == "(A b)\n");
    CHECK(written(example, ExampleFormat::kTreebank) == "( (A b) )\n");
    CHECK(written(example, ExampleFormat::kKelp) == "+1 |BT:tree| (A b) |ET| |BV:vector| 1:0.5 7:1 |EV|\n");
    CHECK(written(example, ExampleFormat::kLibsvm) == "+1 1:0.5 7:1\n");
}

TEST_CASE("what has no place is counted") {
    ExampleWriter writer({.format = ExampleFormat::kTrees, .tree = 2});
    std::string text;
    writer.append(text, parsed("+1 cost:2 |BT| (A b) |BT| (C d) |ET| 1:1 |BV| 2:2 |EV|"));
    CHECK(text == "(C d)\n");
    CHECK(writer.left_out() == example::LeftOut{.labels = 1, .costs = 1, .trees = 1, .vectors = 2});
}

TEST_CASE("what cannot be written is refused") {
    const auto two = parsed("+1 |BT| (A b) |BT| (C d) |ET|");
    CHECK_THROWS_AS(written(two, ExampleFormat::kTrees), base::Error);
    CHECK_THROWS_AS(written(two, ExampleFormat::kTrees, 3), base::Error);
    CHECK_THROWS_AS(written(two, ExampleFormat::kLibsvm), base::Error);
    const auto spaced = parsed("two words\t(A b)", example::ExampleFormat::kLabelTabTree);
    CHECK(written(spaced, ExampleFormat::kKelp) == "two words |BT:tree| (A b) |ET|\n");
    CHECK_THROWS_AS(written(spaced, ExampleFormat::kSvmLightTk), base::Error);
    for (const char* label : {"1:2", "(x", "|BT|", "#x"}) {
        auto odd = parsed("x |BT| (A b) |ET|");
        odd.label = label;
        CHECK_THROWS_AS(written(odd, ExampleFormat::kSvmLightTk), base::Error);
    }
}

TEST_CASE("examples of trees and vectors read back as they were") {
    const test::TemporaryFolder folder;
    base::Random random(17);
    const test::RandomTreeOptions options;
    for (int round = 0; round < 200; ++round) {
        example::Example example;
        example.label = "label";
        for (std::uint64_t i = random.below(3); i > 0; --i) {
            tree::TreeText& tree = example.add_tree();
            if (random.below(5) > 0) {
                tree = test::random_tree(random, options);
            }
        }
        for (std::uint64_t i = 1 + random.below(3); i > 0; --i) {
            auto& vector = example.add_vector();
            for (std::uint32_t index = 1; random.below(3) > 0; index += 2) {
                vector.push_back({index, random.normal()});
            }
        }
        for (const auto format : {ExampleFormat::kSvmLightTk, ExampleFormat::kKelp}) {
            example::ExampleReader source(folder.file("x", written(example, format)), {.format = format});
            example::Example copy;
            REQUIRE(source.next(copy));
            CHECK(copy.label == "label");
            REQUIRE(copy.trees().size() == example.trees().size());
            for (std::size_t i = 0; i < copy.trees().size(); ++i) {
                CHECK(test::shape_of(copy.trees()[i]) == test::shape_of(example.trees()[i]));
            }
            // A single empty vector after trees is written as none in SVM-light-TK lines.
            const bool none = format == ExampleFormat::kSvmLightTk && example.vectors().size() == 1 &&
                              example.vectors()[0].empty() && !example.trees().empty();
            REQUIRE(copy.vectors().size() == (none ? 0 : example.vectors().size()));
            for (std::size_t i = 0; i < copy.vectors().size(); ++i) {
                CHECK(copy.vectors()[i] == example.vectors()[i]);
            }
        }
    }
}

TEST_CASE("bad lines of KeLP files are named or skipped") {
    const test::TemporaryFolder folder;
    const auto path =
        folder.file("x", "# comment\na |BT:x| (A b) |ET|\nb |BT:x| (A b\n\nc |BT:x| (A b) |ET|\n");
    example::ExampleReader source(
        path, {.format = ExampleFormat::kKelp, .records = {.on_error = base::OnError::kSkip}});
    example::Example example;
    REQUIRE(source.next(example));
    CHECK(source.place().line == 2);
    REQUIRE(source.next(example));
    CHECK(example.label == "c");
    CHECK_FALSE(source.next(example));
    CHECK(source.bad_records().skipped() == 1);
    CHECK(source.bad_records().messages().front().find("x:3:10: this '(' is never closed") !=
          std::string::npos);
}
