#include "example/example_format.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "example/line_words.hpp"

namespace treeline::example {

namespace {

/// What follows the first tab and, where there is one, a column with the cost.
std::string_view after_label_column(std::string_view line) {
    auto rest = base::trimmed(line.substr(std::min(line.find('\t'), line.size())));
    if (rest.starts_with(kCost)) {
        rest = base::trimmed(rest.substr(std::min(rest.find('\t'), rest.size())));
    }
    return rest;
}

bool has_named_part(std::string_view line) {
    for (const std::string_view mark : {"|BT:", "|BV:", "|BDV:", "|BS:"}) {
        if (line.find(mark) != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

/// True if all words after the first are features, at least one of them.
bool has_only_features(std::string_view line) {
    LineWords words(line.substr(1));
    words.take(words.peek());
    bool some = false;
    for (auto word = words.peek(); !word.empty(); words.take(word), word = words.peek()) {
        if (!looks_like_feature(word)) {
            return false;
        }
        some = true;
    }
    return some;
}

}  // namespace

ExampleFormat guess_format(std::string_view line) {
    line = base::trimmed(line);
    if (line.starts_with('(')) {
        std::int64_t depth = 0;
        const bool alone = skip_brackets(line, depth) == line.size() && depth <= 0;
        return alone && !starts_unlabelled(line) ? ExampleFormat::kTrees : ExampleFormat::kTreebank;
    }
    if (after_label_column(line).starts_with('(')) {
        return ExampleFormat::kLabelTabTree;
    }
    return has_named_part(line) ? ExampleFormat::kKelp : ExampleFormat::kSvmLightTk;
}

bool looks_like_example(std::string_view line) {
    if (line.size() < 2 || base::is_space(line[1]) || line[1] == '#') {
        return false;
    }
    return after_label_column(line).starts_with('(') || line.find(kBeginTree) != std::string_view::npos ||
           has_named_part(line) || has_only_features(line);
}

bool starts_unlabelled(std::string_view text) {
    text = base::trimmed(text);
    return text.starts_with('(') && base::trimmed(text.substr(1)).starts_with('(');
}

std::size_t skip_brackets(std::string_view text, std::int64_t& depth) {
    std::size_t end = 0;
    while (end < text.size()) {
        const char c = text[end++];
        if (c == '\\' && end < text.size()) {
            ++end;
        } else if (c == '(') {
            ++depth;
        } else if (c == ')' && --depth <= 0) {
            break;
        }
    }
    return end;
}

}  // namespace treeline::example
