#include "corpus/propbank.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/random_trees.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;
using corpus::Argument;
using corpus::parse_propbank_line;

namespace {

// A relative clause: the trace is terminal 3, 'that' 2.
const char* const kTree =
    "( (S (NP-SBJ (NP (DT The) (NN man)) (SBAR (WHNP-1 (WDT that)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD "
    "came)))))\n"
    "     (VP (VBD left) (ADVP (RB early)))) )\n";

std::vector<Argument> resolved(const char* groups, const char* text) {
    corpus::SentenceTree tree;
    auto original = test::tree_of(text);
    tree.assign(original);
    corpus::Normalizer normalizer({.strip_traces = true});
    normalizer.apply(original);
    const std::string line = std::string("f.mrg 0 4 gold come.01 vp--a ") + groups;
    return corpus::resolve(parse_propbank_line(line).groups, tree, normalizer.kept_words());
}

}  // namespace

TEST_CASE("lines of both kinds, with chains and pieces") {
    const auto line =
        parse_propbank_line("wsj/00/wsj_0001.mrg 3 8 gold join.01 vf--a 0:2*1:0,2:1-ARG0 8:0-rel");
    CHECK(line.file == "wsj/00/wsj_0001.mrg");
    CHECK(line.sentence == 3);
    CHECK(line.terminal == 8);
    CHECK(line.roleset == "join.01");
    REQUIRE(line.groups.size() == 2);
    CHECK(line.groups[0].label == "ARG0");
    CHECK(line.groups[0].chain == std::vector<std::vector<corpus::TreePointer>>{{{0, 2}}, {{1, 0}, {2, 1}}});
    CHECK(parse_propbank_line("f 3 8 gold join-v join.01 ----- 8:0-rel").roleset == "join.01");
}

TEST_CASE("lines that are none are refused at their place") {
    const auto offset_of = [](const char* line) -> std::size_t {
        try {
            (void)parse_propbank_line(line);
        } catch (const tree::SyntaxError& error) {
            return error.offset();
        }
        return 999;
    };
    CHECK(offset_of("f 0 1 gold x.01") == 15);
    CHECK(offset_of("f x 1 gold x.01 ---") == 2);
    CHECK(offset_of("f 0 1 gold x.01 --- 1:0") == 20);
    CHECK(offset_of("f 0 1 gold x.01 --- 1:0*2-ARG0") == 25);
    CHECK(offset_of("f 0 1 gold x.01 --- 1:y-ARG0") == 22);
    CHECK(offset_of("f 0 1 gold x.01 --- 99999999999:0-ARG0") == 20);
}

TEST_CASE("chains leave out traces and tell references; pieces continue") {
    CHECK(resolved("3:1*2:1*0:1-ARG0 4:0-rel", kTree) ==
          std::vector<Argument>{{"R-ARG0", 2, 3}, {"ARG0", 0, 2}});
    CHECK(resolved("3:1*2:1-ARG0 4:0-rel 2:1*0:1-LINK-SLC", kTree) ==
          std::vector<Argument>{{"R-ARG0", 2, 3}, {"ARG0", 0, 2}});
    CHECK(resolved("3:1*2:1-ARG0 4:0-rel", kTree) == std::vector<Argument>{{"ARG0", 2, 3}});
    CHECK(resolved("0:0,1:0-ARG2-for 6:1-ARGM-TMP", kTree) ==
          std::vector<Argument>{{"ARG2", 0, 1}, {"C-ARG2", 1, 2}, {"ARGM-TMP", 6, 7}});
    CHECK_THROWS_WITH(resolved("0:9-ARG1", kTree), ContainsSubstring("0:9 leads out of the tree"));
    CHECK_THROWS_WITH(resolved("7:0-ARG1", kTree), ContainsSubstring("has 7 terminals"));
}

TEST_CASE("sentences of a treebank come with the propositions of all their lines") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "wsj");
    (void)folder.file("wsj/a.mrg", std::string("( (S (NP (-NONE- *)) (VP (VB Go))) )\n\n") + kTree);
    const auto props = folder.file("prop.txt",
                                   "wsj/a.mrg 0 1 gold go.01 i---a 0:1-ARG0 1:0-rel\n"
                                   "wsj/a.mrg 1 4 gold come.01 vp--a 3:1*2:1*0:1-ARG1 4:0-rel\n"
                                   "wsj/a.mrg 1 5 gold leave.01 vp--a 0:2-ARG0 5:0-rel 6:1-ARGM-TMP\n"
                                   "wsj/a.mrg 2 1 gold go.01 i---a 1:0-rel\n"
                                   "wsj/b.mrg 0 1 gold go.01 i---a 1:0-rel\n"
                                   "wsj/a.mrg 0 9 gold go.01 i---a 1:0-rel\n");
    corpus::PropBankReader reader(props, folder.path(), {.strip_functions = true, .strip_traces = true},
                                  base::OnError::kSkip);
    corpus::AnnotatedSentence sentence;
    REQUIRE(reader.next(sentence));
    CHECK(sentence.tree.nodes.size() == 4);
    CHECK(sentence.propositions == std::vector<corpus::Proposition>{{0, "go.01", {}}});
    REQUIRE(reader.next(sentence));
    CHECK(sentence.document == "wsj/a.mrg");
    CHECK(sentence.propositions ==
          std::vector<corpus::Proposition>{{3, "come.01", {{"R-ARG1", 2, 3}, {"ARG1", 0, 2}}},
                                           {4, "leave.01", {{"ARG0", 0, 4}, {"ARGM-TMP", 5, 6}}}});
    while (reader.next(sentence)) {
        CHECK(sentence.propositions.empty());
    }
    REQUIRE(reader.bad_records().skipped() == 3);
    CHECK_THAT(reader.bad_records().messages()[0],
               ContainsSubstring("prop.txt:4: sentence 2 of 'wsj/a.mrg', which has 2"));
    CHECK_THAT(reader.bad_records().messages()[1], ContainsSubstring("prop.txt:5: cannot read"));
    CHECK_THAT(reader.bad_records().messages()[2],
               ContainsSubstring("prop.txt:6: terminal 9 of a tree with 2"));
}
