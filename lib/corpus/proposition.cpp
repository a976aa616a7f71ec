#include "corpus/proposition.hpp"

#include <algorithm>

#include "base/syntax_error.hpp"
#include "base/text.hpp"

namespace treeline::corpus {

namespace {

using base::SyntaxError;

/// A piece of a text that knows where it starts in the whole.
struct Piece {
    std::string_view text;
    std::size_t offset = 0;

    /// Cuts off and returns what stands before the first `separator`, or all of it.
    Piece cut(char separator) {
        const std::size_t end = std::min(text.find(separator), text.size());
        const Piece head{text.substr(0, end), offset};
        const std::size_t taken = std::min(end + 1, text.size());
        text.remove_prefix(taken);
        offset += taken;
        return head;
    }
};

std::uint32_t read_word_number(Piece piece, std::uint32_t most) {
    const auto number = base::parse_unsigned(piece.text);
    if (!number || *number > most) {
        throw SyntaxError(piece.offset, "word number " + base::quoted(piece.text) +
                                            "; expected a whole number from 0 to " + std::to_string(most));
    }
    return static_cast<std::uint32_t>(*number);
}

}  // namespace

void read_propositions(std::string_view text, std::uint32_t words, std::vector<Proposition>& propositions) {
    propositions.clear();
    for (Piece rest{text}; !rest.text.empty();) {
        Piece one = rest.cut(' ');
        if (one.text.empty()) {
            continue;
        }
        if (std::ranges::count(one.text, ':') < 2) {
            throw SyntaxError(
                one.offset, "found " + base::quoted(one.text) + "; expected word:roleset:ROLE,begin,end;...");
        }
        const Piece word = one.cut(':');
        if (words == 0) {
            throw SyntaxError(word.offset, "a proposition in a tree without words");
        }
        Proposition& proposition = propositions.emplace_back();
        proposition.word = read_word_number(word, words - 1);
        proposition.roleset = one.cut(':').text;
        while (!one.text.empty()) {
            Piece part = one.cut(';');
            const Piece whole = part;
            Argument& argument = proposition.arguments.emplace_back();
            argument.role = part.cut(',').text;
            argument.begin = read_word_number(part.cut(','), words);
            argument.end = read_word_number(part, words);
            if (argument.role.empty() || argument.begin >= argument.end) {
                throw SyntaxError(whole.offset, "found " + base::quoted(whole.text) +
                                                    "; expected ROLE,begin,end with begin below end");
            }
        }
    }
}

AnnotatedLineReader::AnnotatedLineReader(const std::string& path, base::OnError on_error)
    : lines_(path, {.on_error = on_error}) {}

bool AnnotatedLineReader::next(AnnotatedSentence& sentence) {
    return lines_.next_good([&](std::string_view line) { parse(line, sentence); });
}

void AnnotatedLineReader::parse(std::string_view line, AnnotatedSentence& sentence) {
    if (std::ranges::count(line, '\t') != 3) {
        throw SyntaxError(0, "found " + std::to_string(std::ranges::count(line, '\t') + 1) +
                                 " columns; expected document<TAB>number<TAB>tree<TAB>propositions");
    }
    Piece rest{line};
    sentence.document = rest.cut('\t').text;
    if (sentence.document.empty()) {
        throw SyntaxError(0, "no document; expected its name before the first tab");
    }
    (void)rest.cut('\t');
    const Piece tree = rest.cut('\t');
    const std::size_t end = brackets_.read(line, tree.offset, sentence.tree);
    if (end < rest.offset) {
        throw SyntaxError(end, "found " + base::quoted(line.substr(end, rest.offset - 1 - end)) +
                                   " after the tree; expected a tab");
    }
    const auto words = std::ranges::count(sentence.tree.nodes, 0U, &tree::TreeText::Node::children);
    try {
        read_propositions(rest.text, static_cast<std::uint32_t>(words), sentence.propositions);
    } catch (const SyntaxError& error) {
        throw SyntaxError(rest.offset + error.offset(), error.what());
    }
}

}  // namespace treeline::corpus
