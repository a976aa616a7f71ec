#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/record_lines.hpp"

namespace treeline::corpus {

/// A syntactic word of a CoNLL-U sentence.
struct DependencyWord {
    std::string form;
    std::string lemma;
    std::string upos;
    std::string xpos;
    std::string relation;
    std::uint32_t head = 0;  ///< number of a word from 1; 0 = the root
    std::uint64_t line = 0;  ///< where it stands
};

struct DependencySentence {
    std::vector<DependencyWord> words;            ///< word i has the number i + 1
    std::map<std::string, std::string> comments;  ///< of lines `# key = value`
};

/// Reads CoNLL-U. The basic tree is what counts: lines of multi-word tokens (`1-2`) and of empty nodes
/// (`3.1`) are checked for their form and passed over, the enhanced dependencies are not looked at. Words are
/// numbered from 1 without gaps, heads are words of the sentence and lead to the root. A bad sentence throws
/// InputError with its place or is skipped as a whole.
class ConlluReader {
  public:
    ConlluReader(const std::string& path, base::OnError on_error) : lines_(path, {.on_error = on_error}) {}

    /// The next sentence; false at the end.
    bool next(DependencySentence& sentence);
    [[nodiscard]] const std::string& path() const { return lines_.path(); }
    /// Sentences read so far, good or bad.
    [[nodiscard]] std::uint64_t records() const { return lines_.records(); }
    [[nodiscard]] const base::BadRecords& bad_records() const { return lines_.bad_records(); }

  private:
    bool read(DependencySentence& sentence);
    void read_line(std::string_view line, DependencySentence& sentence);
    [[nodiscard]] std::optional<base::InputError> find_bad_head(const DependencySentence& sentence) const;
    void skip_rest();

    base::RecordLines lines_;
    bool within_ = false;  // the sentence at hand goes on
};

}  // namespace treeline::corpus
