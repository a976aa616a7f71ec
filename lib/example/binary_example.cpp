#include "example/binary_example.hpp"

#include <utility>

#include "base/text.hpp"
#include "example/example_format.hpp"
#include "example/line_words.hpp"

namespace treeline::example {

namespace {

using base::SyntaxError;

/// The index of the feature `word` (INDEX:VALUE) at `offset`; moves `colon` to its colon.
std::uint64_t parse_index(std::string_view word, std::size_t offset, std::size_t& colon) {
    colon = 0;
    while (colon < word.size() && word[colon] >= '0' && word[colon] <= '9') {
        ++colon;
    }
    if (word == "(" || word == kBeginTree) {
        throw SyntaxError(
            offset,
            "found a tree; expected features INDEX:VALUE: ksl, fsl and fpl learn from trees, and "
            "tfx makes vectors of them");
    }
    if (colon == 0 || colon == word.size() || word[colon] != ':') {
        throw SyntaxError(offset, "found " + base::quoted(word) + "; expected INDEX:VALUE");
    }
    const auto index = base::parse_unsigned(word.substr(0, colon));
    if (!index) {
        throw SyntaxError(offset, "feature index " + base::quoted(word) +
                                      " is too large; expected at most 18446744073709551615");
    }
    return *index;
}

/// Whether the feature is there: its value is not 0.
bool parse_presence(std::string_view text, std::size_t offset, std::uint64_t index, bool binarize,
                    std::string_view remedy) {
    if (text == "1") {
        return true;
    }
    const auto value = base::parse_double(text);
    if (!value) {
        throw SyntaxError(offset, "found " + base::quoted(text) + "; expected a number as value of feature " +
                                      std::to_string(index));
    }
    if (*value != 0 && *value != 1 && !binarize) {
        throw SyntaxError(offset, "value " + base::quoted(text) + " of feature " + std::to_string(index) +
                                      " is neither 0 nor 1; expected binary features, or " +
                                      std::string(remedy));
    }
    return *value != 0;
}

}  // namespace

void parse_binary_line(std::string_view line, bool binarize, BinaryExample& example,
                       std::string_view remedy) {
    example.features.clear();
    LineWords words(line);
    example.label = take_label(words);
    for (auto word = words.peek(); !word.empty(); words.take(word), word = words.peek()) {
        std::size_t colon = 0;
        const std::uint64_t index = parse_index(word, words.offset(), colon);
        if (!example.features.empty() && index <= example.features.back()) {
            throw SyntaxError(words.offset(), "feature " + std::to_string(index) + " after " +
                                                  std::to_string(example.features.back()) +
                                                  "; expected ascending feature indices");
        }
        if (parse_presence(word.substr(colon + 1), words.offset() + colon + 1, index, binarize, remedy)) {
            example.features.push_back(index);
        }
    }
}

BinaryExampleReader::BinaryExampleReader(std::string path, BinaryReadOptions options)
    : lines_(std::move(path), {.on_error = options.on_error}, looks_like_example), options_(options) {}

bool BinaryExampleReader::next(BinaryExample& example) {
    return lines_.next_good(
        [&](std::string_view line) { parse_binary_line(line, options_.binarize, example, options_.remedy); });
}

}  // namespace treeline::example
