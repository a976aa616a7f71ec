#include "example/kelp_parser.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/syntax_error.hpp"
#include "base/text.hpp"
#include "example/line_words.hpp"

namespace treeline::example {

namespace {

using base::SyntaxError;

std::size_t skip_space(std::string_view line, std::size_t at) {
    while (at < line.size() && base::is_space(line[at])) {
        ++at;
    }
    return at;
}

/// Calls visit(word, offset) for the words of line[begin, end), separated by `is_separator`.
template <typename IsSeparator, typename Visit>
void for_words(std::string_view line, std::size_t begin, std::size_t end, IsSeparator is_separator,
               Visit visit) {
    while (begin < end) {
        if (is_separator(line[begin])) {
            ++begin;
            continue;
        }
        std::size_t after = begin;
        while (after < end && !is_separator(line[after])) {
            ++after;
        }
        visit(line.substr(begin, after - begin), begin);
        begin = after;
    }
}

/// The first place from `at` on where a representation could begin; the end of the line if there is none.
std::size_t find_mark(std::string_view line, std::size_t at) {
    for (at = line.find('|', at); at != std::string_view::npos; at = line.find('|', at + 1)) {
        const auto rest = line.substr(at + 1);
        if (rest.starts_with("B") || rest.starts_with("<|")) {
            return at;
        }
    }
    return line.size();
}

}  // namespace

void KelpParser::parse(std::string_view line, Example& example) {
    example.clear();
    std::size_t at = find_mark(line, 0);
    const std::size_t label_begin = skip_space(line, 0);
    std::size_t label_end = at;
    while (label_end > label_begin && base::is_space(line[label_end - 1])) {
        --label_end;
    }
    example.label =
        label_end > label_begin ? line.substr(label_begin, label_end - label_begin) : std::string_view();
    if (!example.label.empty()) {
        require_label(example.label, label_begin);
    }
    for (at = skip_space(line, at); at < line.size(); at = skip_space(line, at)) {
        const std::size_t close = line.find('|', at + 1);
        if (line[at] != '|' || close == std::string_view::npos) {
            throw SyntaxError(at, "found " + base::quoted(line.substr(at)) +
                                      "; expected a representation such as |BT:name|");
        }
        const auto mark = line.substr(at + 1, close - at - 1);
        const auto kind = mark.substr(0, mark.find(':'));
        if (kind != "BT" && kind != "BV" && kind != "BDV" && kind != "BS") {
            throw SyntaxError(at, "found " + base::quoted(line.substr(at, close + 1 - at)) +
                                      "; expected |BT:name|, |BV:name|, |BDV:name| or |BS:name|");
        }
        const std::string end_mark = "|E" + std::string(kind.substr(1)) + "|";
        const std::size_t begin = close + 1;
        std::size_t end = line.find(end_mark, begin);
        if (kind == "BT") {
            tree::TreeText& tree = example.add_tree();
            end = skip_space(line, begin);
            if (!line.substr(end).starts_with(end_mark)) {
                end = read_tree(brackets_, line, begin, tree);
            }
            if (!line.substr(end).starts_with(end_mark)) {
                throw SyntaxError(end, "expected '|ET|' after the tree");
            }
        } else if (end == std::string_view::npos) {
            throw SyntaxError(at, "found " + base::quoted(line.substr(at, begin - at)) + " without '" +
                                      end_mark + "' after it");
        } else if (kind == "BV") {
            parse_sparse(line, begin, end, example.add_vector());
        } else if (kind == "BDV") {
            parse_dense(line, begin, end, example.add_vector());
        } else {
            ++strings_;
        }
        at = end + end_mark.size();
    }
}

void KelpParser::parse_sparse(std::string_view line, std::size_t begin, std::size_t end,
                              SparseVector& vector) {
    for_words(line, begin, end, base::is_space, [&](std::string_view word, std::size_t offset) {
        const std::size_t colon = word.rfind(':');
        if (colon == 0 || colon == std::string_view::npos) {
            throw SyntaxError(offset, "found " + base::quoted(word) + "; expected feature:value");
        }
        const double value = parse_feature_value(word.substr(colon + 1), offset + colon + 1);
        const auto name = word.substr(0, colon);
        const auto number = names_ != nullptr ? names_->number(name) : base::parse_unsigned(name).value_or(0);
        if (number == 0 || number > std::numeric_limits<std::uint32_t>::max()) {
            throw SyntaxError(
                offset, "the feature " + base::quoted(name) +
                            " is not a number from 1 to 4294967295; expected numbers, or a table of names "
                            "that numbers features");
        }
        vector.push_back({static_cast<std::uint32_t>(number), value});
    });
    std::ranges::sort(vector, {}, &Feature::index);
    const auto twice = std::ranges::adjacent_find(vector, {}, &Feature::index);
    if (twice != vector.end()) {
        throw SyntaxError(begin, "the feature " + std::to_string(twice->index) + " occurs twice in a vector");
    }
}

void KelpParser::parse_dense(std::string_view line, std::size_t begin, std::size_t end,
                             SparseVector& vector) {
    std::uint32_t index = 0;
    const auto is_separator = [](char c) { return c == ',' || base::is_space(c); };
    for_words(line, begin, end, is_separator, [&](std::string_view word, std::size_t offset) {
        const double value = parse_feature_value(word, offset);
        ++index;
        if (value != 0) {
            vector.push_back({index, value});
        }
    });
}

}  // namespace treeline::example
