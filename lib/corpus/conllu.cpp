#include "corpus/conllu.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace treeline::corpus {

namespace {

using base::SyntaxError;

constexpr std::size_t kColumns = 10;

std::array<std::string_view, kColumns> columns_of(std::string_view line) {
    std::array<std::string_view, kColumns> columns;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < kColumns; ++i) {
        const std::size_t end = std::min(line.find('\t', begin), line.size());
        if ((end == line.size()) != (i + 1 == kColumns)) {
            throw SyntaxError(std::min(end, line.size()),
                              "found " + std::to_string(std::ranges::count(line, '\t') + 1) +
                                  " columns; expected the 10 of CoNLL-U, separated by tabs");
        }
        columns[i] = line.substr(begin, end - begin);
        if (columns[i].empty()) {
            throw SyntaxError(begin, "an empty column; expected '_' where there is nothing");
        }
        begin = end + 1;
    }
    return columns;
}

/// `7-8` or `7.1`: true for a pair of numbers with `separator` between.
bool is_pair(std::string_view id, char separator) {
    const std::size_t at = id.find(separator);
    return at != std::string_view::npos && base::parse_unsigned(id.substr(0, at)) &&
           base::parse_unsigned(id.substr(at + 1));
}

}  // namespace

bool ConlluReader::next(DependencySentence& sentence) {
    for (;;) {
        try {
            if (!read(sentence)) {
                return false;
            }
            lines_.begin_record();
            const auto problem = find_bad_head(sentence);
            if (!problem) {
                return true;
            }
            lines_.refuse(*problem);
        } catch (const SyntaxError& error) {
            const base::InputError located(lines_.place(error.offset() + 1), error.what());
            lines_.begin_record();
            skip_rest();
            lines_.refuse(located);
        }
    }
}

bool ConlluReader::read(DependencySentence& sentence) {
    sentence.words.clear();
    sentence.comments.clear();
    within_ = false;
    std::string_view line;
    while (lines_.next_line(line)) {
        const bool blank = base::is_blank(line);
        within_ = !blank;
        if (!blank) {
            read_line(line, sentence);
        } else if (!sentence.words.empty()) {
            break;
        } else {
            sentence.comments.clear();
        }
    }
    return !sentence.words.empty();
}

void ConlluReader::skip_rest() {
    std::string_view line;
    while (within_ && lines_.next_line(line)) {
        within_ = !base::is_blank(line);
    }
}

void ConlluReader::read_line(std::string_view line, DependencySentence& sentence) {
    base::RecordLines::require_utf8(line);
    if (const auto nul = line.find('\0'); nul != std::string_view::npos) {
        throw SyntaxError(nul, "NUL byte; expected text");
    }
    if (line.starts_with('#')) {
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos) {
            sentence.comments[std::string(base::trimmed(line.substr(1, equals - 1)))] =
                base::trimmed(line.substr(equals + 1));
        }
        return;
    }
    const auto columns = columns_of(line);
    const auto id = columns[0];
    if (is_pair(id, '-') || is_pair(id, '.')) {
        return;
    }
    const auto number = base::parse_unsigned(id);
    const std::uint64_t expected = sentence.words.size() + 1;
    if (!number || *number != expected) {
        throw SyntaxError(0, "word number " + base::quoted(id) + "; expected " + std::to_string(expected));
    }
    const auto head = base::parse_unsigned(columns[6]);
    const auto offset = static_cast<std::size_t>(columns[6].data() - line.data());
    if (!head || *head > 0xfffffffeU || *head == *number) {
        throw SyntaxError(offset,
                          "head " + base::quoted(columns[6]) + "; expected the number of another word, or 0");
    }
    sentence.words.push_back({std::string(columns[1]), std::string(columns[2]), std::string(columns[3]),
                              std::string(columns[4]), std::string(columns[7]),
                              static_cast<std::uint32_t>(*head), lines_.line_number()});
}

std::optional<base::InputError> ConlluReader::find_bad_head(const DependencySentence& sentence) const {
    const auto& words = sentence.words;
    const auto problem_at = [&](std::size_t word, const std::string& problem) {
        return base::InputError({lines_.path(), words[word].line, 0},
                                "the word " + base::quoted(words[word].form) + " " + problem);
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].head > words.size()) {
            return problem_at(i, "has the head " + std::to_string(words[i].head) + " in a sentence of " +
                                     std::to_string(words.size()) + " words");
        }
    }
    // Each word is followed up to one that is known to lead to the root: linear in all.
    std::vector<bool> leads(words.size(), false);
    std::vector<std::size_t> path;
    for (std::size_t i = 0; i < words.size(); ++i) {
        path.clear();
        for (std::size_t at = i; !leads[at]; at = words[at].head - 1) {
            path.push_back(at);
            if (words[at].head == 0) {
                break;
            }
            if (path.size() > words.size()) {
                return problem_at(i, "hangs in a circle of heads; expected one that leads to the root");
            }
        }
        for (const std::size_t at : path) {
            leads[at] = true;
        }
    }
    return std::nullopt;
}

}  // namespace treeline::corpus
