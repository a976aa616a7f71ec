#include "example/example_parser.hpp"

#include <limits>
#include <string>

#include "base/text.hpp"
#include "example/line_words.hpp"
#include "example/mistake.hpp"

namespace treeline::example {

namespace {

using base::SyntaxError;

Feature parse_feature(std::string_view word, std::size_t offset) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) {
        throw SyntaxError(offset, "found " + base::quoted(word) + "; expected a feature INDEX:VALUE");
    }
    const auto index = base::parse_unsigned(word.substr(0, colon));
    if (!index || *index == 0 || *index > std::numeric_limits<std::uint32_t>::max()) {
        throw SyntaxError(offset, "feature index " + base::quoted(word.substr(0, colon)) +
                                      "; expected a whole number from 1 to 4294967295");
    }
    return {static_cast<std::uint32_t>(*index),
            parse_feature_value(word.substr(colon + 1), offset + colon + 1)};
}

/// The vectors from the word ahead to the end of the line.
void parse_vectors(LineWords& words, Example& example) {
    auto word = words.peek();
    SparseVector* vector = nullptr;
    for (; !word.empty() && word != kEndVectors; words.take(word), word = words.peek()) {
        if (word == kBeginTree) {
            throw SyntaxError(words.offset(),
                              "found '|BT|' after a vector; expected the trees before the vectors");
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
            throw SyntaxError(words.offset(), "feature index " + std::to_string(feature.index) + " after " +
                                                  std::to_string(vector->back().index) +
                                                  "; expected ascending indices");
        }
        vector->push_back(feature);
    }
    if (word == kEndVectors) {
        words.take(word);
        word = words.peek();
    }
    if (!word.empty()) {
        throw SyntaxError(words.offset(),
                          "found " + base::quoted(word) + " after '|EV|'; expected the end of the line");
    }
}

}  // namespace

void ExampleParser::parse(std::string_view line, ExampleFormat format, Example& example, ExampleParts parts) {
    example.clear();
    try {
        parse_as(line, format, example, parts);
    } catch (const SyntaxError& error) {
        const std::string mistake = guess_mistake(line, format, columns_.remedy);
        if (mistake.empty()) {
            throw;
        }
        throw SyntaxError(error.offset(), mistake);
    }
}

void ExampleParser::parse_as(std::string_view line, ExampleFormat format, Example& example,
                             ExampleParts parts) {
    switch (format) {
        case ExampleFormat::kSvmLightTk: parse_svm_light_tk(line, true, example, parts); break;
        case ExampleFormat::kLibsvm: parse_svm_light_tk(line, false, example, parts); break;
        case ExampleFormat::kLabelTabTree: parse_label_tab_tree(line, example, parts); break;
        case ExampleFormat::kKelp: kelp_.parse(line, example); break;
        case ExampleFormat::kAuto:
        case ExampleFormat::kTreebank:
        case ExampleFormat::kTrees:
            if (parts == ExampleParts::kAll) {
                parse_tree_line(line, 0, example);
            }
            break;
    }
}

void ExampleParser::parse_svm_light_tk(std::string_view line, bool may_have_trees, Example& example,
                                       ExampleParts parts) {
    LineWords words(line);
    example.label = take_label(words);
    auto word = words.peek();
    if (word.starts_with(kCost)) {
        example.cost = parse_cost(word, words.offset());
        words.take(word);
        word = words.peek();
    }
    if (parts == ExampleParts::kLabel) {
        return;
    }
    if (word == kBeginTree && !may_have_trees) {
        throw SyntaxError(words.offset(), "found '|BT|'; expected features only, as LIBSVM lines have");
    }
    if (word == kBeginTree) {
        while (word == kBeginTree) {
            words.take(word);
            word = words.peek();
            tree::TreeText& tree = example.add_tree();
            if (word != kBeginTree && word != kEndTrees) {
                words.jump(read_tree(brackets_, line, words.offset(), tree));
                word = words.peek();
            }
        }
        if (word != kEndTrees) {
            throw SyntaxError(words.offset(),
                              (word.empty() ? "the line ends" : "found " + base::quoted(word)) +
                                  " after a tree; expected '|BT|' or '|ET|'");
        }
        words.take(word);
    }
    parse_vectors(words, example);
    if (example.trees().empty() && example.vectors().empty()) {
        example.add_vector();
    }
}

void ExampleParser::parse_named_columns(std::string_view line, Example& example, ExampleParts parts) {
    const auto column = [&](std::size_t wanted) {
        std::size_t begin = 0;
        for (std::size_t at = 1; at < wanted; ++at) {
            begin = line.find('\t', begin) + 1;
            if (begin == 0) {
                throw SyntaxError(line.size(),
                                  "the line has " + std::to_string(at) + (at == 1 ? " column" : " columns") +
                                      " between tabs; expected a column " + std::to_string(wanted));
            }
        }
        return line.substr(begin, line.find('\t', begin) - begin);
    };
    if (columns_.label > 0) {
        example.label = base::trimmed(column(columns_.label));
        require_label(example.label, static_cast<std::size_t>(example.label.data() - line.data()));
    }
    if (parts == ExampleParts::kAll) {
        const std::string_view tree = column(columns_.tree);
        const auto begin = static_cast<std::size_t>(tree.data() - line.data());
        parse_tree_line(line.substr(0, begin + tree.size()), begin, example);
    }
}

void ExampleParser::parse_label_tab_tree(std::string_view line, Example& example, ExampleParts parts) {
    if (columns_.tree > 0) {
        parse_named_columns(line, example, parts);
        return;
    }
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) {
        throw SyntaxError(line.size(), "no tab in the line; expected LABEL<TAB>tree");
    }
    example.label = base::trimmed(line.substr(0, tab));
    require_label(example.label, static_cast<std::size_t>(example.label.data() - line.data()));
    std::size_t offset = tab + 1;
    if (line.substr(offset).starts_with(kCost)) {
        const std::size_t end = line.find('\t', offset);
        if (end == std::string_view::npos) {
            throw SyntaxError(line.size(), "no tree; expected LABEL<TAB>cost:NUMBER<TAB>tree");
        }
        example.cost = parse_cost(line.substr(offset, end - offset), offset);
        offset = end + 1;
    }
    if (parts == ExampleParts::kLabel) {
        return;
    }
    try {
        parse_tree_line(line, offset, example);
    } catch (const SyntaxError& error) {
        std::int64_t open = 0;
        (void)skip_brackets(line.substr(offset), open);
        if (open <= 0) {
            throw;
        }
        throw SyntaxError(error.offset(), error.what() + std::string("; an example is one line"));
    }
}

void ExampleParser::parse_tree_line(std::string_view line, std::size_t offset, Example& example) {
    const std::size_t end = read_tree(brackets_, line, offset, example.add_tree());
    if (end != line.size()) {
        throw SyntaxError(end, (line[end] == ')' ? std::string("unbalanced ')'")
                                                 : "found " + base::quoted(line.substr(end))) +
                                   " after the tree; expected the end of the line");
    }
}

}  // namespace treeline::example
