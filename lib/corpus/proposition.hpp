#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/record_lines.hpp"
#include "tree/bracket_reader.hpp"
#include "tree/tree_text.hpp"

namespace treeline::corpus {

/// Words [begin, end) of a sentence in a role such as `ARG0`, `ARGM-TMP`, `R-ARG1`, `C-ARG1`.
struct Argument {
    std::string role;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool operator==(const Argument&) const = default;
};

/// A predicate, the word it is, its sense (`join.01`) and its arguments.
struct Proposition {
    std::uint32_t word = 0;
    std::string roleset;
    std::vector<Argument> arguments;
    bool operator==(const Proposition&) const = default;
};

/// Reads propositions `word:roleset:ROLE,begin,end;...`, separated by spaces, of a sentence of `words` words.
/// Throws base::SyntaxError with offsets into `text`; an argument beyond the sentence is such an error.
void read_propositions(std::string_view text, std::uint32_t words, std::vector<Proposition>& propositions);

/// A sentence with its annotation. The labels of the tree are views of the memory of the reader it came from.
struct AnnotatedSentence {
    std::string document;
    tree::TreeText tree;
    std::vector<Proposition> propositions;
};

/// Where annotated sentences come from.
class SentenceReader {
  public:
    virtual ~SentenceReader() = default;
    /// The next sentence, valid until the next call; false at the end. Throws InputError.
    virtual bool next(AnnotatedSentence& sentence) = 0;
    /// Where the sentence last returned stands, or ends.
    [[nodiscard]] virtual base::Place place() const = 0;
    [[nodiscard]] virtual const base::BadRecords& bad_records() const = 0;
};

/// Reads lines `document<TAB>number<TAB>tree<TAB>propositions`, words counted in the tree. Blank lines and
/// those that start with `#` are passed over.
class AnnotatedLineReader final : public SentenceReader {
  public:
    AnnotatedLineReader(const std::string& path, base::OnError on_error);
    bool next(AnnotatedSentence& sentence) override;
    [[nodiscard]] base::Place place() const override { return lines_.place(); }
    [[nodiscard]] const base::BadRecords& bad_records() const override { return lines_.bad_records(); }

  private:
    void parse(std::string_view line, AnnotatedSentence& sentence);

    base::RecordLines lines_;
    tree::BracketReader brackets_;
};

}  // namespace treeline::corpus
