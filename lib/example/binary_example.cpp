#include "example/binary_example.hpp"

#include <limits>
#include <utility>

#include "base/text.hpp"

namespace treeline::example {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// The part of `line` from `from` to the next blank.
std::string_view word_at(std::string_view line, std::size_t from) {
    std::size_t to = from;
    while (to < line.size() && !is_blank(line[to])) {
        ++to;
    }
    return line.substr(from, to - from);
}

/// The unsigned number at the start of `text`; moves `length` past its digits. Nothing on overflow.
std::optional<std::uint64_t> leading_number(std::string_view text, std::size_t& length) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t number = 0;
    for (length = 0; length < text.size() && text[length] >= '0' && text[length] <= '9'; ++length) {
        const auto digit = static_cast<std::uint64_t>(text[length] - '0');
        if (number > (kMax - digit) / 10) {
            return std::nullopt;
        }
        number = number * 10 + digit;
    }
    return number;
}

}  // namespace

std::optional<LineProblem> parse_binary_line(std::string_view line, bool binarize, BinaryExample& example) {
    example.label.clear();
    example.features.clear();
    const auto problem = [](std::size_t at, std::string text) {
        return std::optional(LineProblem{at + 1, std::move(text)});
    };
    std::size_t at = 0;
    const auto skip_blanks = [&] {
        while (at < line.size() && is_blank(line[at])) {
            ++at;
        }
        return at < line.size() && line[at] != '#';
    };
    if (!skip_blanks()) {
        return std::nullopt;
    }
    const std::string_view label = word_at(line, at);
    if (label.find(':') != std::string_view::npos) {
        return problem(at, "found " + base::quoted(label) + "; expected a label before the first feature");
    }
    if (const auto bad = base::find_invalid_utf8(label)) {
        return problem(at + *bad, "the label is not valid UTF-8");
    }
    for (std::size_t i = 0; i < label.size(); ++i) {
        if (static_cast<unsigned char>(label[i]) < ' ' || label[i] == '\x7f') {
            return problem(at + i, "control character in the label");
        }
    }
    example.label = label;
    at += label.size();
    while (skip_blanks()) {
        std::size_t digits = 0;
        const auto index = leading_number(line.substr(at), digits);
        if (!index) {
            return problem(at, "feature index " + base::quoted(word_at(line, at)) +
                                   " is too large; expected at most 18446744073709551615");
        }
        if (digits == 0 || at + digits >= line.size() || line[at + digits] != ':') {
            return problem(at, "found " + base::quoted(word_at(line, at)) + "; expected INDEX:VALUE");
        }
        if (!example.features.empty() && *index <= example.features.back()) {
            return problem(at, "feature " + std::to_string(*index) + " after " +
                                   std::to_string(example.features.back()) +
                                   "; expected ascending feature indices");
        }
        const std::size_t value_at = at + digits + 1;
        const std::string_view text = word_at(line, value_at);
        at = value_at + text.size();
        if (text == "1") {
            example.features.push_back(*index);
            continue;
        }
        const auto value = base::parse_double(text);
        if (!value) {
            return problem(value_at, "found " + base::quoted(text) +
                                         "; expected a number as value of feature " + std::to_string(*index));
        }
        if (*value == 0) {
            continue;
        }
        if (*value != 1 && !binarize) {
            return problem(value_at,
                           "value " + base::quoted(text) + " of feature " + std::to_string(*index) +
                               " is neither 0 nor 1; use --binarize to take every non-zero value as 1");
        }
        example.features.push_back(*index);
    }
    return std::nullopt;
}

BinaryExampleReader::BinaryExampleReader(std::string path, BinaryReadOptions options)
    : lines_(std::move(path)), options_(options) {}

bool BinaryExampleReader::next(BinaryExample& example) {
    std::string_view line;
    while (lines_.next(line)) {
        if (const auto problem = parse_binary_line(line, options_.binarize, example)) {
            if (!options_.skip_bad) {
                throw base::InputError(lines_.place(problem->column), problem->text);
            }
            ++skipped_;
        } else if (!example.label.empty()) {
            return true;
        }
    }
    return false;
}

}  // namespace treeline::example
