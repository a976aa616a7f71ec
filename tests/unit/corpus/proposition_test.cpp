#include "corpus/proposition.hpp"

#include "base/error.hpp"
#include "base/syntax_error.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using Catch::Matchers::EndsWith;

TEST_CASE("propositions with and without arguments") {
    std::vector<corpus::Proposition> read;
    corpus::read_propositions("1:join.01:ARG0,0,1;ARGM-TMP,2,5 3:be.01:", 5, read);
    const std::vector<corpus::Proposition> expected{{1, "join.01", {{"ARG0", 0, 1}, {"ARGM-TMP", 2, 5}}},
                                                    {3, "be.01", {}}};
    CHECK(read == expected);
    corpus::read_propositions("", 0, read);
    CHECK(read.empty());
}

TEST_CASE("propositions that cannot be are refused at their place") {
    const auto offset_of = [](const char* text) -> std::size_t {
        std::vector<corpus::Proposition> read;
        try {
            corpus::read_propositions(text, 5, read);
        } catch (const tree::SyntaxError& error) {
            return error.offset();
        }
        return 999;
    };
    CHECK(offset_of("5:a.01:") == 0);
    CHECK(offset_of("1:a.01") == 0);
    CHECK(offset_of("1:a.01:ARG0,0,1 x:a.01:") == 16);
    CHECK(offset_of("1:a.01:ARG0,0,6") == 14);
    CHECK(offset_of("1:a.01:ARG0,2,2") == 7);
    CHECK(offset_of("1:a.01:ARG0,2") == 13);
    CHECK(offset_of("1:a.01:,1,2") == 7);
}

TEST_CASE("annotated lines are read, bad ones skipped or named") {
    const test::TemporaryFolder folder;
    const auto path = folder.file("a.tsv",
                                  "# comment\n"
                                  "d1\t0\t(S (NP I) (VP (VB run)))\t1:run.01:ARG0,0,1\n"
                                  "d1\t1\t(S (NP I)\t\n"
                                  "d1\t2\t(S (NP I) (VP (VB run)))\t7:run.01:\n"
                                  "d1\t3\t(S (NP I)) x\t\n"
                                  "d1\t4\n"
                                  "d2\t0\t(S (NP I))\t\n");
    corpus::AnnotatedLineReader reader(path, base::OnError::kSkip);
    corpus::AnnotatedSentence sentence;
    REQUIRE(reader.next(sentence));
    CHECK(sentence.document == "d1");
    CHECK(sentence.tree.nodes.size() == 6);
    CHECK(sentence.propositions.size() == 1);
    REQUIRE(reader.next(sentence));
    CHECK(sentence.document == "d2");
    CHECK(sentence.propositions.empty());
    CHECK_FALSE(reader.next(sentence));
    REQUIRE(reader.bad_records().skipped() == 4);
    const auto& messages = reader.bad_records().messages();
    CHECK_THAT(messages[0],
               EndsWith("a.tsv:3:6: this '(' is never closed; expected ')' before the end of the text"));
    CHECK_THAT(messages[1], EndsWith("a.tsv:4:31: word number '7'; expected a whole number from 0 to 1"));
    CHECK_THAT(messages[2], EndsWith("a.tsv:5:17: found 'x' after the tree; expected a tab"));
    CHECK_THAT(messages[3], EndsWith("a.tsv:6:1: found 2 columns; expected document<TAB>number<TAB>tree<TAB>"
                                     "propositions"));
    corpus::AnnotatedLineReader strict(path, base::OnError::kFail);
    CHECK(strict.next(sentence));
    CHECK_THROWS_AS(strict.next(sentence), base::InputError);
}
