#include "store/binary_vectors.hpp"

#include <fstream>

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Row {
    std::string label;
    std::vector<std::uint32_t> indices;
    std::vector<float> values;
};

void write_rows(const std::string& path, const std::vector<Row>& rows) {
    const auto sink = store::make_arrow_sink(
        path, {.kernel = "sst(lambda=0.4)", .norm = "none", .fragments = 10, .dictionary = "abc"});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        sink->add({i, rows[i].label, rows[i].indices, rows[i].values});
    }
    (void)sink->commit();
}

std::vector<std::vector<std::uint64_t>> features_of(example::BinaryExampleSource& source) {
    std::vector<std::vector<std::uint64_t>> all;
    example::BinaryExample example;
    while (source.next(example)) {
        all.push_back(example.features);
    }
    return all;
}

}  // namespace

TEST_CASE("vectors are examples with binary features, all or those of the top fragments") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path() + "/rows.arrow";
    write_rows(path, {{"a", {0, 4, 9, 12}, {0.5F, 1, 2, 1}}, {"b", {}, {}}, {"a", {3, 5}, {0, 1}}});
    using Features = std::vector<std::vector<std::uint64_t>>;
    store::BinaryVectors all(path, {.binarize = true});
    CHECK(all.dictionary() == "abc");
    CHECK(features_of(all) == Features{{1, 5, 10, 13}, {}, {6}});
    store::BinaryVectors top(path, {.binarize = true}, {.top = 5});
    CHECK(features_of(top) == Features{{1, 5, 13}, {}, {}});
    CHECK_THROWS_WITH(
        features_of(*store::open_binary_examples(path, {})),
        ContainsSubstring("row 0: value 0.5 of feature 0") && ContainsSubstring("neither 0 nor 1"));
    store::BinaryVectors rest(path, {.on_error = base::OnError::kSkip});
    CHECK(features_of(rest) == Features{{}, {6}});
    CHECK(rest.bad_records().skipped() == 1);
}

TEST_CASE("labels of vectors must be words") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path() + "/rows.arrow";
    const std::string label = GENERATE("", "two words");
    write_rows(path, {{label, {1}, {1}}});
    store::BinaryVectors source(path, {});
    CHECK_THROWS_WITH(features_of(source), ContainsSubstring("expected one word"));
}

TEST_CASE("text is told from vectors") {
    const test::TemporaryFolder folder;
    const std::string text = folder.path() + "/text";
    std::ofstream(text) << "+1 3:1\n";
    CHECK(store::holds_vectors(folder.path()));
    CHECK_FALSE(store::holds_vectors(text));
    CHECK_FALSE(store::holds_vectors("-"));
    CHECK(features_of(*store::open_binary_examples(text, {})).size() == 1);
    CHECK_THROWS_AS(store::open_binary_examples(text, {}, {.top = 5}), base::UsageError);
}
