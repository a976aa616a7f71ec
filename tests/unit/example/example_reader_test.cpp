#include "example/example_reader.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/output.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"
#include "tree/bracket_writer.hpp"

using namespace treeline::tree;
using namespace treeline::example;
using namespace treeline::test;
using Catch::Matchers::ContainsSubstring;
using treeline::base::OnError;
using enum ExampleFormat;

namespace {

using Strings = std::vector<std::string>;

/// `LINE LABEL: trees` of every example that is left to read.
Strings drain(ExampleReader& reader) {
    Strings found;
    for (Example example; reader.next(example);) {
        std::string text = std::to_string(reader.place().line) + " " + std::string(example.label) + ":";
        for (const auto& tree : example.trees()) {
            append_tree(text += ' ', tree);
        }
        found.push_back(text);
    }
    return found;
}

Strings read(std::string_view content, ExampleFormat format = kAuto) {
    const TemporaryFolder folder;
    ExampleReader reader(folder.file("x", content), {.format = format});
    return drain(reader);
}

/// What --on-error skip gives, then the messages without the folder.
Strings read_skipping(std::string_view content, ExampleFormat format = kAuto) {
    const TemporaryFolder folder;
    ExampleReader reader(folder.file("x", content),
                         {.format = format, .records = {.on_error = OnError::kSkip}});
    Strings found = drain(reader);
    CHECK(reader.examples() == found.size());
    CHECK(reader.bad_records().skipped() == reader.bad_records().messages().size());
    for (const auto& message : reader.bad_records().messages()) {
        found.push_back(message.substr(folder.path().size() + 1));
    }
    return found;
}

void check_error(std::string_view content, std::uint64_t line, std::uint64_t column,
                 const std::string& message, ExampleFormat format = kAuto) {
    CAPTURE(content);
    try {
        const auto found = read(content, format);
        FAIL_CHECK("read " << found.size() << " examples without an error");
    } catch (const treeline::base::InputError& error) {
        CHECK(error.place().line == line);
        CHECK(error.place().column == column);
        CHECK_THAT(error.problem(), ContainsSubstring(message));
    }
}

}  // namespace

TEST_CASE(
    "Blank lines and comments are passed over, CR LF, a byte order mark and a missing last newline do no "
    "harm") {
    const Strings expected{"1 A: (S a)", "2 B: (S b)"};
    CHECK(read("A\t(S a)\nB\t(S b)\n") == expected);
    CHECK(read("A\t(S a)\nB\t(S b)") == expected);
    CHECK(read("A\t(S a)\r\nB\t(S b)\r\n") == expected);
    CHECK(read("\xef\xbb\xbf"
               "A\t(S a)\nB\t(S b)\n\n \t\n# (\n") == expected);
    CHECK(read("# one\n\nA\t(S a)\n#two\n \r\nB\t(S #)\n") == Strings{"3 A: (S a)", "6 B: (S #)"});
    CHECK(read("").empty());
    CHECK(read("\n# only\n\n").empty());
    CHECK(read("\xef\xbb\xbf").empty());
}

TEST_CASE("A line whose label would start with '#' is a bad example, not a comment") {
    for (const char* line :
         {"#A\t(S a)", "#A\tcost:2\t(S a)", "#1 |BT| (S a) |ET|", "#x |BT:t| (S a) |ET|", "#1 3:1 7:0.5"}) {
        check_error("# A\t(S a)\n" + std::string(line) + "\n", 2, 1, "starts with '#', as comments do");
    }
    check_error("A\t(S a)\n#B\t(S b)\n", 2, 1, "the label '#B' starts with '#'");
    check_error("(S a)\n#B\t(S b)\n", 2, 1, "the line is LABEL<TAB>tree");
    CHECK(read("#no example\n##\t(S a)\n#(S a)\n#\n# 1 3:1\nA\t(S a)\n") == Strings{"6 A: (S a)"});
}

TEST_CASE("Where labels are needed, an example without one is bad") {
    const TemporaryFolder folder;
    Example example;
    ExampleReader trees(folder.file("x", "(S a)\n"), {.needs_labels = true});
    CHECK_THROWS_WITH(trees.next(example), ContainsSubstring(":1:1: an example without a label"));
    ExampleReader kelp(folder.file("y", "|BT:t| (S a) |ET|\n"), {.needs_labels = true});
    CHECK_THROWS_WITH(kelp.next(example), ContainsSubstring(":1:1: an example without a label"));
    ExampleReader unlabelled(folder.file("z", "(S a)\n"));
    CHECK(unlabelled.next(example));
}

TEST_CASE("Every format has one name") {
    for (const auto& [format, name] : kExampleFormatNames) {
        CHECK(treeline::base::name_of(kExampleFormatNames, format) == name);
        CHECK(treeline::base::find_named(kExampleFormatNames, name) == format);
    }
    CHECK_FALSE(treeline::base::find_named(kExampleFormatNames, "PTB"));
}

TEST_CASE("The same examples in every format that has room for them") {
    const std::vector<std::pair<ExampleFormat, std::string>> files{
        {kSvmLightTk, "A |BT| (S a) |ET|\nB |BT| (S b) |ET|\n"},
        {kLabelTabTree, "A\t(S a)\nB\t(S b)\n"},
        {kKelp, "A |BT:t| (S a) |ET|\nB |BT:t| (S b) |ET|\n"},
    };
    for (const auto& [format, content] : files) {
        CHECK(read(content, format) == Strings{"1 A: (S a)", "2 B: (S b)"});
        CHECK(read(content) == Strings{"1 A: (S a)", "2 B: (S b)"});
    }
    CHECK(read("A 1:1\nB 2:1\n", kLibsvm) == Strings{"1 A:", "2 B:"});
    check_error("A 1:1\nB |BT| (S a) |ET|\n", 2, 3, "expected features only", kLibsvm);
}

TEST_CASE("The first line that says something tells the format") {
    const auto format_of = [](std::string_view content) {
        const TemporaryFolder folder;
        ExampleReader reader(folder.file("x", content));
        drain(reader);
        return reader.format();
    };
    CHECK(format_of("\n#x\n+1 |BT| (S a) |ET|\n+1\t|BT| (S b) |ET|\n") == kSvmLightTk);
    CHECK(format_of("A\t(S a)\n") == kLabelTabTree);
    CHECK(format_of("(S a)\n(S b)\n") == kTrees);
    CHECK(format_of("(S\n a)\n") == kTreebank);
    CHECK(format_of("( (S a) )\n( (S\n b) )\n") == kTreebank);
    CHECK(format_of("A |BT:t| (S a) |ET| |BV:v| 1:1 |EV|\n") == kKelp);
    CHECK(format_of("# nothing\n") == kAuto);
}

TEST_CASE("A bad line is an error with its line and column in bytes") {
    check_error("A\t(S a)\n\nB\t(S b\n", 3, 3, "never closed");
    check_error(
        "\xef\xbb\xbf"
        "A\t(S a) x\n",
        1, 9, "found 'x' after the tree");
    check_error("A\t(S \xc3\xa9) x\n", 1, 10, "found 'x' after the tree");
    check_error("A\t(S \xff)\n", 1, 6, "not valid UTF-8");
    check_error("A\t(S a)\nA\t(S \xe5\x8f)\n", 2, 6, "not valid UTF-8");
    check_error(std::string("A\t(S a)\n\0\n", 10), 2, 2, "no tab in the line");
    check_error(std::string("A\t(S \0)\n", 8), 1, 6, "NUL byte");
    check_error("+1 |BT| (S a) |ET| 2:1\n+1 |BT| (S a) |ET| 2:1 1:1\r\n", 2, 24,
                "expected ascending indices");
    check_error("+1 1:1\nA\t(S a)\n", 2, 3, "expected one format in a file");
}

TEST_CASE("The error of a stage names path, line and column") {
    const TemporaryFolder folder;
    const auto path = folder.file("x", "A\t(S a))\n");
    ExampleReader reader(path);
    Example example;
    CHECK_THROWS_WITH(reader.next(example),
                      path + ":1:8: unbalanced ')' after the tree; expected the end of the line");
    CHECK_FALSE(reader.next(example));
}

TEST_CASE("Treebank trees go over lines and may share one") {
    const std::string treebank =
        "\n( (S \n    (NP-SBJ-1 (DT The) (NN cat) )\n    (VP (VBZ is)\n      (VP (VBN fed)\n        (NP "
        "(-NONE- *-1) )))\n"
        "    (. .) ))\n"
        "# between\n"
        "( (FRAG (CD 1\\/2) (-LRB- -LRB-) )) (X y)\n( (X\n\n";
    CHECK_THROWS_AS(read(treebank), treeline::base::InputError);
    CHECK(read(treebank.substr(0, treebank.size() - 6)) ==
          Strings{"2 : (S (NP-SBJ-1 (DT The) (NN cat)) (VP (VBZ is) (VP (VBN fed) (NP (-NONE- *-1)))) (. .))",
                  "9 : (FRAG (CD 1\\/2) (-LRB- -LRB-))", "9 : (X y)"});
    CHECK(read("(A\na)(B\r\n\t(b))(C c)\n\n(D\n# d\n)") ==
          Strings{"1 : (A a)", "2 : (B b)", "3 : (C c)", "5 : (D # d)"});
    check_error("(A a)\n\n (B b) ()\n", 3, 8, "a tree without nodes", kTreebank);
    CHECK(read("(A \\(\n\\) \\\\)\n(B x\\\ny)") == Strings{"1 : (A \\( \\) \\\\)", "3 : (B x\\\\ y)"});
}

TEST_CASE("A bad treebank tree is an error with the line and column of the file") {
    check_error("(A\n a)\n\n (B (C\n  (D d)\n\n (E e))\n", 4, 5, "never closed");
    check_error("(A a) (B\n b) x\n", 2, 5, "found 'x'; expected '('", kTreebank);
    check_error("(A a) (B ())\n", 1, 11, "empty label");
    check_error("(A\n (B\n ()))\n", 3, 3, "empty label");
    check_error("(A\n (\n", 2, 2, "never closed");
    check_error("(A\n a))\n", 2, 4, "found ')'; expected '('");
    check_error("(A\n \xff)\n", 2, 2, "not valid UTF-8");
    check_error("(A a) (B (\n)\n) (C c)\n", 2, 1, "empty label");
}

TEST_CASE("Skipping goes on with the next line and counts") {
    CHECK(read_skipping("A\t(S a)\nB\nC\t(S c)) \n\xff\t(S d)\nE\t(S e)") ==
          Strings{"1 A: (S a)", "5 E: (S e)", "x:2:2: no tab in the line; expected LABEL<TAB>tree",
                  "x:3:8: unbalanced ')' after the tree; expected the end of the line",
                  "x:4:1: not valid UTF-8; convert the file, for example with iconv"});
}

TEST_CASE("Skipping in a treebank goes on after a blank line, an unlabelled bracket or a bracket too many") {
    CHECK(read_skipping("( (A a) )\n( (B\n (C c)\n( (D d) )\n(E\n\n(F f)\n(G ()) (H h)\n(I i)) (J j)\n") ==
          Strings{"1 : (A a)", "4 : (D d)", "7 : (F f)", "8 : (H h)", "9 : (I i)", "9 : (J j)",
                  "x:2:3: this '(' is never closed; expected ')' before the end of the text",
                  "x:5:1: this '(' is never closed; expected ')' before the end of the text",
                  "x:8:5: empty label; expected a label after '('",
                  "x:9:6: found ')'; expected '(' to start a tree"});
}

TEST_CASE("Named columns of a table are read, others are not looked at") {
    const TemporaryFolder folder;
    const auto path = folder.file("x", "7\t(A a)\tNUM\t(\n8\t(B b)\t DESC \n");
    ExampleReader both(path, {.columns = {.label = 3, .tree = 2}});
    CHECK(drain(both) == Strings{"1 NUM: (A a)", "2 DESC: (B b)"});
    CHECK(both.format() == ExampleFormat::kLabelTabTree);
    ExampleReader tree(path, {.columns = {.label = 0, .tree = 2}});
    CHECK(drain(tree) == Strings{"1 : (A a)", "2 : (B b)"});
    ExampleReader labels(path, {.columns = {.label = 3, .tree = 4}});
    Example example;
    CHECK(labels.next(example, ExampleParts::kLabel));
    CHECK(labels.next(example, ExampleParts::kLabel));
    CHECK(example.label == "DESC");
    ExampleReader missing(path, {.columns = {.label = 1, .tree = 5}});
    CHECK_THROWS_WITH(drain(missing),
                      path + ":1:14: the line has 4 columns between tabs; expected a column 5");
    ExampleReader other(folder.file("y", "7\tNUM\t(A a)\n"), {.columns = {.remedy = "name them"}});
    CHECK_THROWS_WITH(
        drain(other),
        ContainsSubstring(
            "a table of 3 columns with a tree in column 3; expected two, LABEL<TAB>tree: name them"));
}

TEST_CASE("Only the first skipped examples are told about, all are counted") {
    const TemporaryFolder folder;
    std::string content = "A\t(S a)\n";
    for (int i = 0; i < 1000; ++i) {
        content += "B\t(S\n";
    }
    ExampleReader reader(folder.file("x", content), {.records = {.on_error = OnError::kSkip}});
    CHECK(drain(reader).size() == 1);
    CHECK(reader.bad_records().skipped() == 1000);
    CHECK(reader.bad_records().messages().size() == 10);
}

TEST_CASE("Reading stops at the limit of examples, good or bad") {
    const TemporaryFolder folder;
    ExampleReader reader(folder.file("x", "(A a)\n(B\n(C c)\n(D d)\n"),
                         {.records = {.on_error = OnError::kSkip, .limit = 3}});
    CHECK(drain(reader) == Strings{"1 : (A a)", "3 : (C c)"});
    CHECK(reader.bad_records().skipped() == 1);
    CHECK(reader.records() == 3);
    ExampleReader treebank(folder.file("y", "(A a) (B ()) (C\n c) (D d)\n(E e)"),
                           {.records = {.on_error = OnError::kSkip, .limit = 3}});
    CHECK(drain(treebank) == Strings{"1 : (A a)", "1 : (C c)"});
    CHECK(treebank.records() == 3);
}

TEST_CASE("Compressed files are read like plain ones") {
    const TemporaryFolder folder;
    std::string content;
    Strings expected;
    for (int i = 1; i <= 50'000; ++i) {
        const std::string tree = "(S (N " + std::to_string(i) + "))";
        content += "A\t" + tree + "\n";
        expected.push_back(std::to_string(i) + " A: " + tree);
    }
    for (const char* name : {"x.tsv", "x.tsv.gz", "x.tsv.zst"}) {
        treeline::base::write_whole_file(folder / name, content);
        ExampleReader reader(folder / name);
        CHECK((drain(reader) == expected));
    }
}

TEST_CASE("Standard input is read as '-' and called stdin") {
    const TemporaryFolder folder;
    const auto path = folder.file("x", "A\t(S a)\nB\n");
    const int saved = ::dup(STDIN_FILENO);
    const int file = ::open(path.c_str(), O_RDONLY);
    ::dup2(file, STDIN_FILENO);
    {
        ExampleReader reader("-");
        Example example;
        CHECK(reader.next(example));
        CHECK_THROWS_WITH(reader.next(example), ContainsSubstring("stdin:2:2: no tab"));
    }
    ::close(file);
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
}

TEST_CASE("A missing file is an error that names it") {
    CHECK_THROWS_WITH(ExampleReader("/no/such/file"), ContainsSubstring("/no/such/file"));
}
