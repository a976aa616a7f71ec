#include "base/record_lines.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline::base;
using Catch::Matchers::ContainsSubstring;
using treeline::test::TemporaryFolder;

namespace {

using Strings = std::vector<std::string>;

/// Records are letters; anything else is bad at its second byte.
void parse_letter(std::string_view line, std::string& letter) {
    if (line.size() > 1) {
        throw SyntaxError(1, "more than a letter");
    }
    letter = line;
}

Strings drain(RecordLines& lines) {
    Strings found;
    std::string letter;
    while (lines.next_good([&](std::string_view line) { parse_letter(line, letter); })) {
        found.push_back(std::to_string(lines.line_number()) + letter);
    }
    return found;
}

}  // namespace

TEST_CASE("Records are what is neither blank nor a comment") {
    const TemporaryFolder folder;
    RecordLines lines(folder.file("x", "# head\na\n\n \t\r\nb\n#c\nd"));
    CHECK(drain(lines) == Strings{"2a", "5b", "7d"});
    CHECK(lines.records() == 3);
    CHECK(lines.good() == 3);
}

TEST_CASE("A comment that looks like a record is one, for its parser to refuse") {
    const TemporaryFolder folder;
    const auto path = folder.file("x", "# note\na\n#b\nc\n");
    RecordLines strict(path, {}, [](std::string_view line) { return line == "#b"; });
    std::string letter;
    const auto parse = [&](std::string_view line) { parse_letter(line, letter); };
    CHECK(strict.next_good(parse));
    CHECK_THROWS_WITH(strict.next_good(parse), path + ":3:2: more than a letter");
}

TEST_CASE("The first bad record stops the work, or all are skipped and counted and the first few told") {
    const TemporaryFolder folder;
    std::string content = "a\nbb\n\xff\n";
    for (int i = 0; i < 20; ++i) {
        content += "cc\n";
    }
    const auto path = folder.file("x", content + "d\n");
    RecordLines strict(path);
    CHECK_THROWS_WITH(drain(strict), path + ":2:2: more than a letter");
    RecordLines skipping(path, {.on_error = OnError::kSkip});
    CHECK(drain(skipping) == Strings{"1a", "24d"});
    CHECK(skipping.records() == 24);
    CHECK(skipping.skipped() == 22);
    CHECK(skipping.good() == 2);
    REQUIRE(skipping.bad_records().messages().size() == 10);
    CHECK_THAT(skipping.bad_records().messages()[1], ContainsSubstring(":3:1: not valid UTF-8"));
}

TEST_CASE("The limit counts records, good or bad") {
    const TemporaryFolder folder;
    const auto path = folder.file("x", "a\nbb\n# c\nd\ne\n");
    RecordLines lines(path, {.on_error = OnError::kSkip, .limit = 3});
    CHECK(drain(lines) == Strings{"1a", "4d"});
    CHECK(lines.records() == 3);
    CHECK_FALSE(lines.begin_record());
    CHECK(lines.has_line());
}

TEST_CASE("Records of several lines take the lines that follow, and several may start in one") {
    const TemporaryFolder folder;
    RecordLines lines(folder.file("x", "a\n\n#b\nc\n"), {.limit = 3});
    std::string_view line;
    REQUIRE(lines.next(line));
    REQUIRE(lines.next_line(line));
    CHECK(line.empty());
    REQUIRE(lines.next_line(line));
    CHECK(line == "#b");
    CHECK(lines.records() == 1);
    CHECK(lines.begin_record());
    REQUIRE(lines.next(line));
    CHECK(line == "c");
    CHECK(lines.records() == 3);
}

TEST_CASE("Bad records that come later are appended, those kept first stay first") {
    BadRecords first(OnError::kSkip);
    BadRecords later(OnError::kSkip);
    for (int i = 0; i < 8; ++i) {
        first.refuse({{"x", static_cast<std::uint64_t>(i + 1)}, "bad"});
        later.refuse({{"y", static_cast<std::uint64_t>(i + 1)}, "bad"});
    }
    first.append(later);
    CHECK(first.skipped() == 16);
    REQUIRE(first.messages().size() == 10);
    CHECK(first.messages()[8] == "y:1: bad");
    first.refuse({{"x", 20}, "worse"});
    CHECK(first.problems() == Strings{"x:1: bad (and 15 more like it)", "x:20: worse"});
}
