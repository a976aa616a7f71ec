#include "example/mistake.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

#include "base/text.hpp"
#include "example/line_words.hpp"

namespace treeline::example {

namespace {

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> starts) {
    return std::ranges::any_of(starts, [&](std::string_view start) { return text.starts_with(start); });
}

/// Bytes that are no text.
std::string guess_binary(std::string_view line) {
    constexpr std::size_t kTarMagic = 257;
    if (line.size() > kTarMagic && line.substr(kTarMagic).starts_with("ustar")) {
        return "a tar archive; expected a file of examples: unpack it first, with tar -x";
    }
    const auto nuls = std::ranges::count(line, '\0');
    if (nuls > 1 && 3 * nuls >= std::ssize(line)) {
        return std::string(base::kIsUtf16);
    }
    return {};
}

/// Formats that are told by one line, and `format` is not.
std::string guess_format_name(std::string_view line, ExampleFormat format) {
    const auto tabs = std::ranges::count(line, '\t');
    const std::string_view first = line.substr(0, line.find('\t'));
    if (tabs == 9 && !first.empty() && first.find_first_not_of("0123456789-.") == std::string_view::npos) {
        return "the line looks like CoNLL-U; expected trees, which tdp dependency makes of it";
    }
    if (format != ExampleFormat::kKelp && line.find("|BT:") != std::string_view::npos) {
        return "the line looks like KeLP's, whose parts have names; read it in the format kelp";
    }
    if (format != ExampleFormat::kLabelTabTree && tabs == 1 &&
        base::trimmed(line.substr(first.size())).starts_with('(')) {
        return "the line is LABEL<TAB>tree, and the file is read in another format (the one asked for, or that of "
               "its first line); expected one format in a file: label-tab-tree reads such lines";
    }
    return {};
}

/// A table whose columns are others than LABEL<TAB>tree.
std::string guess_table(std::string_view line, std::string_view remedy) {
    const auto tabs = std::ranges::count(line, '\t');
    std::size_t column = 1;
    for (std::size_t begin = 0; begin < line.size() && tabs > 0; ++column) {
        const std::size_t end = std::min(line.find('\t', begin), line.size());
        const std::string_view text = base::trimmed(line.substr(begin, end - begin));
        if (starts_with_any(text, {"\"(", "'("})) {
            return "the tree is in quotes; expected it without them: LABEL<TAB>tree";
        }
        if (column > 1 && text.starts_with('(')) {
            return "a table of " + std::to_string(tabs + 1) + " columns with a tree in column " +
                   std::to_string(column) + "; expected two, LABEL<TAB>tree: " + std::string(remedy);
        }
        begin = end + 1;
    }
    const bool no_tree = line.find_first_of("(|[") == std::string_view::npos;
    if (no_tree && tabs > 0 && line.find_first_of(" :") == std::string_view::npos) {
        return "the line looks like the header of a table; expected LABEL<TAB>tree: take it out, for example with "
               "tail -n +2, or start it with '# '";
    }
    return {};
}

/// Other ways to write examples and trees.
std::string guess_notation(std::string_view line) {
    line = base::trimmed(line);
    const auto second = base::trimmed(line.substr(std::min(line.find('\t'), line.size())));
    const bool is_member = line.starts_with('"') && line.find("\":") != std::string_view::npos;
    if (is_member || starts_with_any(line, {"{", "[\"", "[{"})) {
        return "the line looks like JSON; expected LABEL<TAB>tree: write the label and the tree of each object with a "
               "tab between them, for example with jq";
    }
    if (line.starts_with('<') && line.find('>') != std::string_view::npos) {
        return "the line looks like XML; expected LABEL<TAB>tree: take labels and trees out of it first, an example a "
               "line";
    }
    if (line.find("Tree('") != std::string_view::npos || line.find("Tree(\"") != std::string_view::npos) {
        return "a tree as Python shows NLTK's, Tree('S', [...]); expected LABEL<TAB>(S ...): ' '.join(str(tree).split()) "
               "writes a tree so";
    }
    if (line.starts_with('[') || second.starts_with('[')) {
        return "a tree in square brackets; expected round ones, LABEL<TAB>(S (NP ...)): tr '[]' '()' makes them";
    }
    if (line.starts_with("SVM-light Version")) {
        return "the line is the first of a kernel model; expected examples, LABEL<TAB>tree";
    }
    if (line.starts_with("solver_type ")) {
        return "the line is the first of a linear model; expected examples, LABEL<TAB>tree";
    }
    return {};
}

/// What stands between label and tree, where it is no tab; text without any tree.
std::string guess_separator(std::string_view line) {
    const auto tabs = std::ranges::count(line, '\t');
    const std::size_t tree = line.find('(');
    if (line.find_first_of("(|") == std::string_view::npos) {
        const bool text = tabs > 0 ? !looks_like_feature(line.substr(line.find('\t') + 1))
                                   : line.find(':') == std::string_view::npos;
        return text
                   ? "text without a tree; expected LABEL<TAB>tree, such as NUM<TAB>(S (WRB when) (VBZ is) (NN "
                     "lunch)), as parsers make them of text"
                   : "";
    }
    if (tree == std::string_view::npos || line.find(kBeginTree) != std::string_view::npos) {
        return {};
    }
    const std::string_view before = line.substr(0, tree);
    if (before.find(',') != std::string_view::npos) {
        return "the line looks like CSV; expected LABEL<TAB>tree, with a tab and without quotes";
    }
    if (before.find(';') != std::string_view::npos) {
        return "a semicolon between label and tree; expected a tab: LABEL<TAB>tree, without quotes";
    }
    if (starts_with_any(line, {"\"(", "'("})) {
        return "the tree is in quotes; expected it without them: LABEL<TAB>tree";
    }
    if (tabs == 0 && tree > 0 && base::is_space(line[tree - 1])) {
        return "a space between label and tree; expected a tab: LABEL<TAB>tree";
    }
    return {};
}

}  // namespace

std::string guess_mistake(std::string_view line, ExampleFormat format, std::string_view remedy) {
    std::string mistake = guess_binary(line);
    if (mistake.empty()) {
        mistake = guess_format_name(line, format);
    }
    // Blank lines and labels like comments have messages of their own.
    const std::string_view text = base::trimmed(line);
    if (format != ExampleFormat::kSvmLightTk || !mistake.empty() || text.empty() || text.starts_with('#')) {
        return mistake;
    }
    for (const auto& guess : {guess_notation(line), guess_table(line, remedy), guess_separator(line)}) {
        if (!guess.empty()) {
            return guess;
        }
    }
    return {};
}

bool has_label_last(std::string_view line) {
    line = base::trimmed(line);
    std::int64_t depth = 0;
    const std::size_t end = line.starts_with('(') ? skip_brackets(line, depth) : line.size();
    return depth <= 0 && end < line.size() && line[end] == '\t' &&
           !base::trimmed(line.substr(end)).starts_with('(');
}

std::string describe_label_last(std::string_view remedy) {
    return "a tree in column 1 and a label in column 2; expected LABEL<TAB>tree: " + std::string(remedy);
}

}  // namespace treeline::example
