#include "example/example_parser.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/text.hpp"

namespace treeline::example {
namespace {

constexpr std::string_view kBeginTree = "|BT|";
constexpr std::string_view kEndTrees = "|ET|";
constexpr std::string_view kNextVector = "|BV|";
constexpr std::string_view kEndVectors = "|EV|";
constexpr std::string_view kCost = "cost:";

[[nodiscard]] bool starts_with_mark(std::string_view text) {
    return text.size() >= kBeginTree.size() && text[0] == '|' && text[3] == '|' &&
           (text.starts_with(kBeginTree) || text.starts_with(kEndTrees) || text.starts_with(kNextVector) ||
            text.starts_with(kEndVectors));
}

[[nodiscard]] std::string_view without_space(std::string_view text) {
    while (!text.empty() && tree::is_space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && tree::is_space(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

/// Words of a line, each with its offset. A mark such as `|BT|` and the bracket that starts a tree are words
/// of their own even where no space follows.
class Words {
  public:
    explicit Words(std::string_view line, std::size_t offset = 0) : line_(line), offset_(offset) {}

    /// The word ahead (empty at the end of the line or at a comment), not taken yet.
    [[nodiscard]] std::string_view peek() {
        while (offset_ < line_.size() && tree::is_space(line_[offset_])) {
            ++offset_;
        }
        const auto rest = line_.substr(offset_);
        if (rest.starts_with('#')) {
            return {};
        }
        if (rest.starts_with('(') || starts_with_mark(rest)) {
            return rest.substr(0, rest.front() == '(' ? 1 : kBeginTree.size());
        }
        const auto end = std::ranges::find_if(rest, tree::is_space);
        return rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    }
    void take(std::string_view word) { offset_ += word.size(); }
    void jump(std::size_t offset) { offset_ = offset; }
    [[nodiscard]] std::size_t offset() const { return offset_; }

  private:
    std::string_view line_;
    std::size_t offset_;
};

double parse_cost(std::string_view word, std::size_t offset) {
    const auto cost = base::parse_double(word.substr(kCost.size()));
    if (!cost || !(*cost > 0)) {
        throw tree::SyntaxError(offset,
                                "found " + base::quoted(word) + "; expected cost:NUMBER, a number above 0");
    }
    return *cost;
}

Feature parse_feature(std::string_view word, std::size_t offset) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) {
        throw tree::SyntaxError(offset, "found " + base::quoted(word) + "; expected a feature INDEX:VALUE");
    }
    const auto index = base::parse_unsigned(word.substr(0, colon));
    if (!index || *index == 0 || *index > std::numeric_limits<std::uint32_t>::max()) {
        throw tree::SyntaxError(offset, "feature index " + base::quoted(word.substr(0, colon)) +
                                            "; expected a whole number from 1 to 4294967295");
    }
    const auto value = base::parse_double(word.substr(colon + 1));
    if (!value) {
        throw tree::SyntaxError(offset + colon + 1, "feature value " + base::quoted(word.substr(colon + 1)) +
                                                        "; expected a finite number");
    }
    return {static_cast<std::uint32_t>(*index), *value};
}

void check_label(std::string_view label, std::size_t offset) {
    if (label.empty()) {
        throw tree::SyntaxError(offset, "no label; expected one before the example");
    }
    if (const auto nul = label.find('\0'); nul != std::string_view::npos) {
        throw tree::SyntaxError(offset + nul, "NUL byte in a label; expected text");
    }
}

}  // namespace

ExampleFormat guess_format(std::string_view line) {
    line = without_space(line);
    if (line.starts_with('(')) {
        std::int64_t depth = 0;
        const bool alone = skip_brackets(line, depth) == line.size() && depth <= 0;
        return alone && !starts_unlabelled(line) ? ExampleFormat::kTrees : ExampleFormat::kTreebank;
    }
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) {
        return ExampleFormat::kSvmLightTk;
    }
    auto behind = without_space(line.substr(tab));
    if (behind.starts_with(kCost)) {
        behind = without_space(behind.substr(std::min(behind.find('\t'), behind.size())));
    }
    return behind.starts_with('(') ? ExampleFormat::kLabelTabTree : ExampleFormat::kSvmLightTk;
}

bool starts_unlabelled(std::string_view text) {
    text = without_space(text);
    return text.starts_with('(') && without_space(text.substr(1)).starts_with('(');
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

void ExampleParser::parse(std::string_view line, ExampleFormat format, Example& example, ExampleParts parts) {
    example.clear();
    if (format == ExampleFormat::kSvmLightTk) {
        parse_svm_light_tk(line, example, parts);
    } else if (format == ExampleFormat::kLabelTabTree) {
        parse_label_tab_tree(line, example, parts);
    } else if (parts == ExampleParts::kAll) {
        parse_tree_line(line, 0, example);
    }
}

void ExampleParser::parse_svm_light_tk(std::string_view line, Example& example, ExampleParts parts) {
    Words words(line);
    const auto label = words.peek();
    const bool is_feature = label.find(':') != std::string_view::npos &&
                            base::parse_unsigned(label.substr(0, label.find(':'))).has_value();
    if (starts_with_mark(label) || label.starts_with('(') || is_feature) {
        throw tree::SyntaxError(words.offset(), "found " + base::quoted(label) + "; expected a label first");
    }
    check_label(label, words.offset());
    example.label = label;
    words.take(label);

    auto word = words.peek();
    if (word.starts_with(kCost)) {
        example.cost = parse_cost(word, words.offset());
        words.take(word);
        word = words.peek();
    }
    if (parts == ExampleParts::kLabel) {
        return;
    }
    if (word == kBeginTree) {
        while (word == kBeginTree) {
            words.take(word);
            word = words.peek();
            tree::TreeText& tree = example.add_tree();
            if (word != kBeginTree && word != kEndTrees) {
                words.jump(brackets_.read(line, words.offset(), tree));
                word = words.peek();
            }
        }
        if (word != kEndTrees) {
            throw tree::SyntaxError(words.offset(),
                                    (word.empty() ? "the line ends" : "found " + base::quoted(word)) +
                                        " behind a tree; expected '|BT|' or '|ET|'");
        }
        words.take(word);
        word = words.peek();
    }
    SparseVector* vector = nullptr;
    for (; !word.empty() && word != kEndVectors; words.take(word), word = words.peek()) {
        if (word == kBeginTree) {
            throw tree::SyntaxError(words.offset(),
                                    "found '|BT|' behind a vector; expected the trees before the vectors");
        }
        if (vector == nullptr) {
            vector = &example.add_vector();
        }
        if (word == kNextVector) {
            vector = &example.add_vector();
            continue;
        }
        const Feature feature = parse_feature(word, words.offset());
        if (!vector->empty() && vector->back().index >= feature.index) {
            throw tree::SyntaxError(words.offset(), "feature index " + std::to_string(feature.index) +
                                                        " behind " + std::to_string(vector->back().index) +
                                                        "; expected ascending indices");
        }
        vector->push_back(feature);
    }
    if (word == kEndVectors) {
        words.take(word);
        word = words.peek();
    }
    if (!word.empty()) {
        throw tree::SyntaxError(
            words.offset(), "found " + base::quoted(word) + " behind '|EV|'; expected the end of the line");
    }
    if (example.trees().empty() && example.vectors().empty()) {
        example.add_vector();
    }
}

void ExampleParser::parse_label_tab_tree(std::string_view line, Example& example, ExampleParts parts) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) {
        throw tree::SyntaxError(line.size(), "no tab in the line; expected LABEL<TAB>tree");
    }
    example.label = without_space(line.substr(0, tab));
    check_label(example.label, static_cast<std::size_t>(example.label.data() - line.data()));
    std::size_t offset = tab + 1;
    if (line.substr(offset).starts_with(kCost)) {
        const std::size_t end = line.find('\t', offset);
        if (end == std::string_view::npos) {
            throw tree::SyntaxError(line.size(), "no tree; expected LABEL<TAB>cost:NUMBER<TAB>tree");
        }
        example.cost = parse_cost(line.substr(offset, end - offset), offset);
        offset = end + 1;
    }
    if (parts == ExampleParts::kAll) {
        parse_tree_line(line, offset, example);
    }
}

void ExampleParser::parse_tree_line(std::string_view line, std::size_t offset, Example& example) {
    const std::size_t end = brackets_.read(line, offset, example.add_tree());
    if (end != line.size()) {
        throw tree::SyntaxError(end, (line[end] == ')' ? std::string("unbalanced ')'")
                                                       : "found " + base::quoted(line.substr(end))) +
                                         " behind the tree; expected the end of the line");
    }
}

}  // namespace treeline::example
