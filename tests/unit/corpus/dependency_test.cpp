#include <string>

#include "base/error.hpp"
#include "corpus/conllu.hpp"
#include "corpus/dependency_tree.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"
#include "tree/bracket_writer.hpp"

using namespace treeline;
using corpus::DependencyOptions;
using corpus::DependencyStructure;

namespace {

const char* const kSentence =
    "# sent_id = 1\n"
    "# class = X Y\n"
    "1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n"
    "2\tCat\tcat\tNOUN\tNN\t_\t3\tnsubj:pass\t_\t_\n"
    "3-4\tisn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\tis\t_\tAUX\tVBZ\t_\t0\troot\t_\t_\n"
    "3.1\tghost\tghost\tNOUN\tNN\t_\t_\t_\t3:x\t_\n"
    "4\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_\n"
    "5\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n";

std::string tree_with(const DependencyOptions& options, const std::string& text = kSentence) {
    const test::TemporaryFolder folder;
    corpus::ConlluReader reader(folder.file("x", text), base::OnError::kFail);
    corpus::DependencySentence sentence;
    REQUIRE(reader.next(sentence));
    tree::TreeText tree;
    corpus::DependencyTrees(options).make(sentence, tree);
    std::string out;
    tree::append_tree(out, tree);
    return out;
}

std::string problem_of(const std::string& text) {
    const test::TemporaryFolder folder;
    corpus::ConlluReader reader(folder.file("x", text), base::OnError::kFail);
    corpus::DependencySentence sentence;
    try {
        while (reader.next(sentence)) {
        }
    } catch (const base::InputError& error) {
        return std::to_string(error.place().line) + ":" + std::to_string(error.place().column) + ": " +
               error.problem();
    }
    return "none";
}

std::string line(const char* id, const char* head) {
    return std::string(id) + "\tw\tw\tX\tX\t_\t" + head + "\tr\t_\t_\n";
}

}  // namespace

TEST_CASE("the four structures") {
    CHECK(tree_with({.structure = DependencyStructure::kGrct}) ==
          "(root (nsubj:pass (det (DET the)) (NOUN cat)) (AUX is) (advmod (PART not)) (punct (PUNCT .)))");
    CHECK(tree_with({.structure = DependencyStructure::kLct}) ==
          "(is (cat (the DET det) NOUN nsubj:pass) (not PART advmod) (. PUNCT punct) AUX root)");
    CHECK(tree_with({.structure = DependencyStructure::kLoct}) == "(is (cat the) not .)");
    CHECK(tree_with({.structure = DependencyStructure::kPlain}) ==
          "(root (nsubj:pass (det the) cat) is (advmod not) (punct .))");
}

TEST_CASE("each level can be chosen") {
    CHECK(tree_with({.word = DependencyOptions::Word::kForm,
                     .pos = DependencyOptions::Pos::kOwn,
                     .relation = DependencyOptions::Relation::kUniversal,
                     .drop_punctuation = true}) ==
          "(root (nsubj (det (DT The)) (NN Cat)) (VBZ is) (advmod (PART n't)))");
    CHECK(tree_with({.word = DependencyOptions::Word::kForm,
                     .pos = DependencyOptions::Pos::kNone,
                     .lower = true}) == "(root (nsubj:pass (det the) cat) is (advmod n't) (punct .))");
    CHECK(tree_with({.structure = DependencyStructure::kLct,
                     .pos = DependencyOptions::Pos::kOwn,
                     .kelp_labels = true,
                     .drop_punctuation = true}) ==
          "(LEX##is::v (LEX##cat::n (LEX##the::d POS##DT SYNT##det) POS##NN SYNT##nsubj:pass) "
          "(LEX##not::p POS##PART SYNT##advmod) POS##VBZ SYNT##root)");
}

TEST_CASE("what hangs on punctuation that is dropped goes to its head; several roots get a node") {
    CHECK(tree_with({.structure = DependencyStructure::kLoct, .drop_punctuation = true},
                    "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n"
                    "2\t(\t(\tPUNCT\t_\t_\t1\tpunct\t_\t_\n"
                    "3\tb\tb\tX\t_\t_\t2\tdep\t_\t_\n"
                    "4\tc\tc\tX\t_\t_\t0\troot\t_\t_\n") == "(ROOT (a b) c)");
}

TEST_CASE("sentences with their comments, separated by blank lines") {
    const test::TemporaryFolder folder;
    corpus::ConlluReader reader(
        folder.file("x", "\n" + std::string(kSentence) + "\n\n# lonely = 1\n\n" + line("1", "0")),
        base::OnError::kFail);
    corpus::DependencySentence sentence;
    REQUIRE(reader.next(sentence));
    CHECK(sentence.words.size() == 5);
    CHECK(sentence.comments.at("class") == "X Y");
    CHECK(sentence.words[3].line == 9);
    REQUIRE(reader.next(sentence));
    CHECK(sentence.words.size() == 1);
    CHECK(sentence.comments.empty());
    CHECK_FALSE(reader.next(sentence));
}

TEST_CASE("what is not CoNLL-U is named with its place") {
    CHECK(problem_of("1\tw\n") == "1:4: found 2 columns; expected the 10 of CoNLL-U, separated by tabs");
    CHECK(problem_of(line("2", "0")) == "1:1: word number '2'; expected 1");
    CHECK(problem_of(line("1", "_")) == "1:13: head '_'; expected the number of another word, or 0");
    CHECK(problem_of(line("1", "1")) == "1:13: head '1'; expected the number of another word, or 0");
    CHECK(problem_of(line("1", "0") + line("2", "7")) ==
          "2:0: the word 'w' has the head 7 in a sentence of 2 words");
    CHECK(problem_of(line("1", "2") + line("2", "1") + line("3", "0")) ==
          "1:0: the word 'w' hangs in a circle of heads; expected one that leads to the root");
    CHECK(problem_of("1\t\tw\tX\tX\t_\t0\tr\t_\t_\n") ==
          "1:3: an empty column; expected '_' where there is nothing");
}

TEST_CASE("a bad sentence is skipped as a whole") {
    const test::TemporaryFolder folder;
    corpus::ConlluReader reader(
        folder.file("x", line("1", "0") + "\n" + line("1", "0") + line("3", "0") + line("4", "0") + "\n" +
                             line("1", "2") + line("2", "1") + "\n" + line("1", "0")),
        base::OnError::kSkip);
    corpus::DependencySentence sentence;
    CHECK(reader.next(sentence));
    REQUIRE(reader.next(sentence));
    CHECK(sentence.words.front().line == 10);
    CHECK_FALSE(reader.next(sentence));
    CHECK(reader.bad_records().skipped() == 2);
}
