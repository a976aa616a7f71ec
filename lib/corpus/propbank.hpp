#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/record_lines.hpp"
#include "corpus/normalization.hpp"
#include "corpus/proposition.hpp"
#include "corpus/sentence_tree.hpp"

namespace treeline::corpus {

/// A node by the number of a terminal below it (traces count) and its height over the terminal's part of
/// speech: `9:1`.
struct TreePointer {
    std::uint32_t terminal = 0;
    std::uint32_t height = 0;
    bool operator==(const TreePointer&) const = default;
};

/// One labelled group of pointers, such as `9:1*11:0,12:1-ARG1`: `*` and `;` join what refers to the same (a
/// trace and what it stands for, a relative pronoun and its noun), `,` joins the pieces of a split
/// constituent.
struct PointerGroup {
    std::string label;
    std::vector<std::vector<TreePointer>> chain;  ///< links of the chain, each in pieces
};

/// A line of a PropBank file: `wsj/00/wsj_0001.mrg 0 8 gold join.01 vf--a 0:2-ARG0 8:0-rel ...`, or with the
/// lemma (`join-v`) before the roleset.
struct PropBankLine {
    std::string_view file;
    std::uint64_t sentence = 0;
    std::uint32_t terminal = 0;
    std::string_view roleset;
    std::vector<PointerGroup> groups;
};

/// Throws base::SyntaxError.
[[nodiscard]] PropBankLine parse_propbank_line(std::string_view line);

/// The arguments of `groups` in a tree that still has its traces, as words of that tree. Each link of a chain
/// becomes an argument; in a chain with other links, a WH phrase becomes `R-ROLE`; pieces after the first of
/// a link become `C-ROLE`. LINK groups add to the chain they share a pointer with. Numbered roles lose their
/// extras (`ARG2-for`). What has none of the `kept_words` is left out. Throws base::Error for a pointer that
/// does not fit the tree.
[[nodiscard]] std::vector<Argument> resolve(const std::vector<PointerGroup>& groups, const SentenceTree& tree,
                                            const std::vector<bool>& kept_words);

/// Reads PropBank lines and the trees they point into, from files below a folder (also with `.gz` or `.zst`
/// added to the name). Lines of one sentence that follow each other come together. Trees are normalized;
/// arguments are words of the normalized tree. One file of trees is held at a time.
class PropBankReader final : public SentenceReader {
  public:
    PropBankReader(const std::string& path, std::string trees, const Normalization& normalization,
                   base::OnError on_error);
    bool next(AnnotatedSentence& sentence) override;
    [[nodiscard]] base::Place place() const override { return {lines_.path(), sentence_line_, 0}; }
    [[nodiscard]] const base::BadRecords& bad_records() const override { return lines_.bad_records(); }

  private:
    void open(std::string_view file);
    const std::string& tree_of(const PropBankLine& line);
    void add(const PropBankLine& line, AnnotatedSentence& sentence);

    base::RecordLines lines_;
    std::string trees_;
    Normalizer normalizer_;
    std::string_view line_;  // read, not used yet
    std::uint64_t sentence_line_ = 0;
    std::string file_;  // whose trees are held
    std::vector<std::string> texts_;
    tree::BracketReader brackets_;
    tree::TreeText original_;
    SentenceTree original_tree_;
};

}  // namespace treeline::corpus
