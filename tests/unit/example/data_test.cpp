#include <string>
#include <vector>

#include "example/example_reader.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/random_trees.hpp"
#include "tree/bracket_writer.hpp"
#include "tree/forest.hpp"

using namespace treeline::tree;
using namespace treeline::example;
using namespace treeline::test;

namespace {

struct Counts {
    std::uint64_t examples = 0;
    std::uint64_t nodes = 0;
    Forest forest;
};

/// Reads the file, and checks that every tree survives writing and reading in both styles and the forest.
Counts read_and_check(const std::string& name, ExampleFormat format) {
    Counts counts;
    ExampleReader reader(data_file(name));
    std::string text;
    bool all_survive = true;
    for (Example example; reader.next(example);) {
        for (const auto& tree : example.trees()) {
            counts.nodes += tree.nodes.size();
            const auto shape = shape_of(tree);
            for (const auto style : {LeafStyle::kBare, LeafStyle::kBracketed, LeafStyle::kCompact}) {
                text.clear();
                append_tree(text, tree, style);
                all_survive = all_survive && shape_of(tree_of(text)) == shape;
            }
            const auto root = counts.forest.add(tree);
            all_survive = all_survive && root && shape_of(counts.forest.text(*root)) == shape;
        }
        CHECK(example.trees().size() == 1);
    }
    CAPTURE(name);
    CHECK(all_survive);
    CHECK(reader.format() == format);
    counts.examples = reader.examples();
    return counts;
}

}  // namespace

TEST_CASE("Every tree of the development data is read and survives writing and reading", "[data]") {
    struct File {
        std::string name;
        std::uint64_t examples;
        ExampleFormat format;
    };
    using enum ExampleFormat;
    const auto file = GENERATE(values<File>({
        {"srl/ewt.dev.bc.dat.gz", 39'946, kSvmLightTk},
        {"srl/ewt.train.rm.tsv.gz", 37'946, kLabelTabTree},
        {"srl/ewt.dev.rm.tsv.gz", 1'987, kLabelTabTree},
        {"srl/ewt.test.rm.tsv.gz", 4'298, kLabelTabTree},
        {"srl/ewtnom.dev.bc.dat.gz", 17'327, kSvmLightTk},
        {"srl/ewtnom.train.rm.tsv.gz", 7'944, kLabelTabTree},
        {"srl/ewtnom.dev.rm.tsv.gz", 433, kLabelTabTree},
        {"srl/ewtnom.test.rm.tsv.gz", 956, kLabelTabTree},
        {"qc/qc_const_train.tsv.gz", 5'417, kLabelTabTree},
        {"qc/qc_const_test.tsv.gz", 500, kLabelTabTree},
        {"qc/qc_grct_train.tsv.gz", 5'452, kLabelTabTree},
        {"qc/qc_grct_test.tsv.gz", 500, kLabelTabTree},
        {"qc/qc_lct_train.tsv.gz", 5'452, kLabelTabTree},
        {"qc/qc_lct_test.tsv.gz", 500, kLabelTabTree},
        {"qc/qc_loct_train.tsv.gz", 5'452, kLabelTabTree},
        {"qc/qc_loct_test.tsv.gz", 500, kLabelTabTree},
        {"trees/trees_sinica.txt.gz", 10'000, kTrees},
        {"trees/trees_cess_esp.txt.gz", 6'012, kTrees},
    }));
    CHECK(read_and_check(file.name, file.format).examples == file.examples);
}

TEST_CASE("Binary data are read as plain vectors", "[data]") {
    ExampleReader reader(data_file("binary/a9a.train.svm.gz"));
    std::uint32_t highest = 0;
    for (Example example; reader.next(example);) {
        REQUIRE(example.vectors().size() == 1);
        if (!example.vectors()[0].empty()) {
            highest = std::max(highest, example.vectors()[0].back().index);
        }
    }
    CHECK(reader.examples() == 32'561);
    CHECK(highest == 123);
}

TEST_CASE("Bags of words are refused with a message, not read as something else", "[data]") {
    ExampleReader reader(data_file("qc/qc_bow_test.tsv.gz"));
    Example example;
    CHECK_THROWS_WITH(reader.next(example), Catch::Matchers::ContainsSubstring(
                                                ":1:10: text without a tree; expected LABEL<TAB>tree"));
}
