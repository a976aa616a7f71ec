#include "example/binary_example.hpp"

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;
using example::BinaryExample;
using example::parse_binary_line;
using Features = std::vector<std::uint64_t>;

namespace {

BinaryExample parsed(std::string_view line, bool binarize = false) {
    BinaryExample example;
    parse_binary_line(line, binarize, example);
    return example;
}

struct BadLine {
    const char* line;
    std::size_t column;
    const char* message;
};

}  // namespace

TEST_CASE("lines of binary features are read") {
    CHECK(parsed("+1 3:1 7:1").features == Features{3, 7});
    CHECK(parsed("+1 3:1 7:1").label == "+1");
    CHECK(parsed("  NP\t0:1\t\t12:1.0   # note 5:1").features == Features{0, 12});
    CHECK(parsed("B-NP").features.empty());
    CHECK(parsed("x 1:0 2:1e0 3:0.0").features == Features{2});
    CHECK(parsed("x 4294967296:1 18446744073709551615:1").features ==
          Features{4294967296, 18446744073709551615U});
    CHECK(parsed("x 1:0.25 2:-3 3:0", true).features == Features{1, 2});
    CHECK(parsed("NUM:date 1:1").label == "NUM:date");
}

TEST_CASE("bad lines of binary features name column and remedy") {
    const BadLine bad =
        GENERATE(BadLine{"3:1 4:1", 1, "expected a label"}, BadLine{"#x 1:1", 1, "as comments do"},
                 BadLine{" ", 2, "no label"}, BadLine{"x 3:1 3:1", 7, "ascending"},
                 BadLine{"x 3:1 2:1", 7, "feature 2 after 3"}, BadLine{"x 3:0.5", 5, "binary"},
                 BadLine{"x 3", 3, "INDEX:VALUE"}, BadLine{"x 3:", 5, "expected a number"},
                 BadLine{"x :1", 3, "INDEX:VALUE"}, BadLine{"x -3:1", 3, "INDEX:VALUE"},
                 BadLine{"x 3:1x", 5, "expected a number"}, BadLine{"x 3:nan", 5, "expected a number"},
                 BadLine{"x qid:3 1:1", 3, "INDEX:VALUE"},
                 BadLine{"x 18446744073709551616:1", 3, "too large"}, BadLine{"a\x01 1:1", 2, "control"});
    BinaryExample example;
    try {
        parse_binary_line(bad.line, false, example);
        FAIL("read " << bad.line);
    } catch (const base::SyntaxError& error) {
        CHECK(error.offset() + 1 == bad.column);
        CHECK_THAT(error.what(), ContainsSubstring(bad.message));
    }
}

TEST_CASE("a reader of binary examples stops at a bad line or counts it") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("x.svm", "# head\n+1 1:1\n\n-1 5:1 2:1\n-1 2:1\n");
    BinaryExample example;
    example::BinaryExampleReader strict(path);
    CHECK(strict.next(example));
    CHECK_THROWS_WITH(strict.next(example), ContainsSubstring(path + ":4:8: feature 2 after 5"));
    example::BinaryExampleReader skipping(path, {.binarize = false, .on_error = base::OnError::kSkip});
    CHECK(skipping.next(example));
    CHECK(skipping.next(example));
    CHECK(example.features == Features{2});
    CHECK_FALSE(skipping.next(example));
    CHECK(skipping.bad_records().skipped() == 1);
}
