#include "example/example_writer.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "tree/bracket_reader.hpp"

namespace treeline::example {

namespace {

/// The part number `which` (from 1), or all of them; what is cut off is counted.
template <typename T>
std::span<const T> selected(std::span<const T> parts, std::uint32_t which, std::uint64_t& left_out,
                            const char* what) {
    if (which == 0) {
        return parts;
    }
    if (which > parts.size()) {
        throw base::Error("no " + std::string(what) + " number " + std::to_string(which) +
                          " in an example with " + std::to_string(parts.size()));
    }
    left_out += parts.size() - 1;
    return parts.subspan(which - 1, 1);
}

void append_features(std::string& out, const SparseVector& vector) {
    for (const auto& [index, value] : vector) {
        out.append(" ").append(std::to_string(index)).append(":").append(base::format_double(value));
    }
}

/// True if `label` reads back as the first word of an SVM-light-TK or LIBSVM line.
bool is_plain_word(std::string_view label) {
    const std::size_t colon = label.find(':');
    const bool feature = colon != std::string_view::npos && base::parse_unsigned(label.substr(0, colon));
    return !feature && std::ranges::none_of(label, base::is_space) && label.front() != '(' &&
           label.front() != '|';
}

}  // namespace

void ExampleWriter::append(std::string& out, const Example& example) {
    const auto trees = selected(example.trees(), options_.tree, left_out_.trees, "tree");
    const auto vectors = selected(example.vectors(), options_.vector, left_out_.vectors, "vector");
    switch (options_.format) {
        case ExampleFormat::kTreebank:
        case ExampleFormat::kTrees:
            left_out_.labels += example.label.empty() ? 0 : 1;
            left_out_.costs += example.cost == 1 ? 0 : 1;
            left_out_.vectors += vectors.size();
            append_single_tree(out, trees, options_.format == ExampleFormat::kTreebank);
            break;
        case ExampleFormat::kLabelTabTree:
            append_label(out, example);
            if (example.cost != 1) {
                out.append("\tcost:").append(base::format_double(example.cost));
            }
            out += '\t';
            left_out_.vectors += vectors.size();
            append_single_tree(out, trees, false);
            break;
        case ExampleFormat::kLibsvm:
            if (vectors.size() != 1) {
                throw SeveralPartsError("an example with " + std::to_string(vectors.size()) +
                                        " vectors; expected one in this format");
            }
            append_label(out, example);
            left_out_.costs += example.cost == 1 ? 0 : 1;
            left_out_.trees += trees.size();
            append_features(out, vectors.front());
            break;
        case ExampleFormat::kKelp:
            append_label(out, example);
            left_out_.costs += example.cost == 1 ? 0 : 1;
            append_kelp(out, trees, vectors);
            break;
        case ExampleFormat::kAuto:
        case ExampleFormat::kSvmLightTk:
            append_label(out, example);
            if (example.cost != 1) {
                out.append(" cost:").append(base::format_double(example.cost));
            }
            append_svm_light_tk(out, trees, vectors);
            break;
    }
    out += '\n';
}

void ExampleWriter::append_label(std::string& out, const Example& example) {
    const std::string_view label = example.label.empty() ? std::string_view(options_.label) : example.label;
    const bool one_word =
        options_.format == ExampleFormat::kSvmLightTk || options_.format == ExampleFormat::kLibsvm;
    const bool readable =
        !label.empty() && label.front() != '#' &&
        label.find_first_of(std::string_view("\t\n\0", 3)) == std::string_view::npos &&
        (!one_word || is_plain_word(label)) &&
        (options_.format != ExampleFormat::kKelp || label.find('|') == std::string_view::npos);
    if (!readable) {
        throw base::Error("the label " + base::quoted(label) + " cannot be written in this format");
    }
    left_out_.missing_labels += example.label.empty() ? 1 : 0;
    out += label;
}

void ExampleWriter::append_single_tree(std::string& out, std::span<const tree::TreeText> trees,
                                       bool outer_bracket) {
    if (trees.size() != 1) {
        throw SeveralPartsError("an example with " + std::to_string(trees.size()) +
                                " trees; expected one in this format");
    }
    if (trees.front().empty()) {
        throw base::Error("an example whose tree has no nodes; expected some in this format");
    }
    const bool bracket = outer_bracket && trees.front().nodes.size() > 1;
    out += bracket ? "( " : "";
    tree::append_tree(out, trees.front(), options_.leaves);
    out += bracket ? " )" : "";
}

void ExampleWriter::append_svm_light_tk(std::string& out, std::span<const tree::TreeText> trees,
                                        std::span<const SparseVector> vectors) {
    for (const auto& tree : trees) {
        out += " |BT|";
        if (!tree.empty()) {
            tree::append_tree(out += ' ', tree, options_.leaves);
        }
    }
    out += trees.empty() ? "" : " |ET|";
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        out += i > 0 ? " |BV|" : "";
        append_features(out, vectors[i]);
    }
    const bool plain = trees.empty() && vectors.size() == 1;
    out += vectors.empty() || plain ? "" : " |EV|";
}

void ExampleWriter::append_kelp(std::string& out, std::span<const tree::TreeText> trees,
                                std::span<const SparseVector> vectors) {
    const auto numbered = [](const std::string& name, std::size_t i) {
        return i == 0 ? name : name + std::to_string(i + 1);
    };
    for (std::size_t i = 0; i < trees.size(); ++i) {
        out.append(" |BT:").append(numbered("tree", i)).append("| ");
        if (!trees[i].empty()) {
            tree::append_tree(out, trees[i], options_.leaves);
            out += ' ';
        }
        out += "|ET|";
    }
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        out.append(" |BV:").append(numbered("vector", i)).append("|");
        append_features(out, vectors[i]);
        out += " |EV|";
    }
}

}  // namespace treeline::example
