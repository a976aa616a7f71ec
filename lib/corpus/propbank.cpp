#include "corpus/propbank.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "base/syntax_error.hpp"
#include "base/text.hpp"
#include "example/example_reader.hpp"
#include "tree/bracket_writer.hpp"

namespace treeline::corpus {

namespace {

using base::SyntaxError;

constexpr std::string_view kExpected =
    "expected FILE SENTENCE TERMINAL ANNOTATOR [LEMMA] ROLESET INFLECTION POINTERS-LABEL ...";

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t begin = 0; begin < line.size();) {
        if (base::is_space(line[begin])) {
            ++begin;
            continue;
        }
        std::size_t end = begin;
        while (end < line.size() && !base::is_space(line[end])) {
            ++end;
        }
        words.push_back(line.substr(begin, end - begin));
        begin = end;
    }
    return words;
}

std::uint32_t read_number(std::string_view line, std::string_view word, const char* what) {
    const auto number = base::parse_unsigned(word);
    if (!number || *number >= std::numeric_limits<std::uint32_t>::max()) {
        throw SyntaxError(static_cast<std::size_t>(word.data() - line.data()),
                          "found " + base::quoted(word) + "; expected " + what);
    }
    return static_cast<std::uint32_t>(*number);
}

PointerGroup read_group(std::string_view line, std::string_view word) {
    PointerGroup group;
    const std::size_t dash = word.find('-');
    if (dash == std::string_view::npos || dash + 1 == word.size()) {
        throw SyntaxError(static_cast<std::size_t>(word.data() - line.data()),
                          "found " + base::quoted(word) + "; expected POINTERS-LABEL such as 9:1-ARG1");
    }
    group.label = word.substr(dash + 1);
    auto pointers = word.substr(0, dash);
    bool new_link = true;
    for (;;) {
        const std::size_t end = std::min(pointers.find_first_of("*,;"), pointers.size());
        const auto pointer = pointers.substr(0, end);
        const std::size_t colon = std::min(pointer.find(':'), pointer.size());
        if (new_link) {
            group.chain.emplace_back();
        }
        group.chain.back().push_back(
            {read_number(line, pointer.substr(0, colon), "a terminal TERMINAL:HEIGHT"),
             read_number(line, pointer.substr(std::min(colon + 1, pointer.size())),
                         "a height TERMINAL:HEIGHT")});
        if (end == pointers.size()) {
            return group;
        }
        new_link = pointers[end] != ',';
        pointers.remove_prefix(end + 1);
    }
}

std::uint32_t node_at(const SentenceTree& tree, TreePointer pointer) {
    std::uint32_t node =
        pointer.terminal < tree.words() ? tree.node_over(pointer.terminal) : SentenceTree::kNone;
    for (std::uint32_t i = 0; i < pointer.height && node != SentenceTree::kNone; ++i) {
        node = tree.node(node).parent;
    }
    if (node == SentenceTree::kNone) {
        throw base::Error("the pointer " + std::to_string(pointer.terminal) + ":" +
                          std::to_string(pointer.height) + " leads out of the tree, which has " +
                          std::to_string(tree.words()) + " terminals");
    }
    return node;
}

std::string role_of(std::string_view label) {
    const bool numbered = label.size() > 4 && label.starts_with("ARG") && label[3] >= '0' && label[3] <= '9';
    return std::string(numbered ? label.substr(0, 4) : label);
}

}  // namespace

PropBankLine parse_propbank_line(std::string_view line) {
    const auto words = words_of(line);
    if (words.size() < 6) {
        throw SyntaxError(line.size(), "the line ends; " + std::string(kExpected));
    }
    const bool has_lemma = words[5].find('.') != std::string_view::npos;
    PropBankLine result;
    result.file = words[0];
    result.sentence = read_number(line, words[1], "the number of a sentence");
    result.terminal = read_number(line, words[2], "the number of a terminal");
    result.roleset = words[has_lemma ? 5 : 4];
    for (std::size_t i = has_lemma ? 7 : 6; i < words.size(); ++i) {
        result.groups.push_back(read_group(line, words[i]));
    }
    return result;
}

std::vector<Argument> resolve(const std::vector<PointerGroup>& groups, const SentenceTree& tree,
                              const std::vector<bool>& kept_words) {
    std::vector<PointerGroup> chains;
    std::vector<const PointerGroup*> links;
    for (const auto& group : groups) {
        if (group.label.starts_with("LINK")) {
            links.push_back(&group);
        } else if (group.label.starts_with("ARG")) {
            chains.push_back(group);
        }
    }
    for (const auto* link : links) {
        for (auto& chain : chains) {
            const auto in_chain = [&](const auto& pieces) {
                return std::ranges::count(chain.chain, pieces) > 0;
            };
            if (!std::ranges::any_of(link->chain, in_chain)) {
                continue;
            }
            for (const auto& pieces : link->chain) {
                if (!in_chain(pieces)) {
                    chain.chain.push_back(pieces);
                }
            }
        }
    }
    std::vector<Argument> arguments;
    const auto has_words = [&](const SentenceTree::Node& node) {
        return std::any_of(kept_words.begin() + node.first_word, kept_words.begin() + node.last_word,
                           [](bool kept) { return kept; });
    };
    for (const auto& chain : chains) {
        const std::string role = role_of(chain.label);
        bool others = false;
        for (const auto& pieces : chain.chain) {
            const auto& node = tree.node(node_at(tree, pieces.front()));
            others = others || (has_words(node) && !tree.label(node).starts_with("WH"));
        }
        for (const auto& pieces : chain.chain) {
            const char* prefix = "";
            for (const auto pointer : pieces) {
                const auto& node = tree.node(node_at(tree, pointer));
                if (!has_words(node)) {
                    continue;
                }
                const bool reference = others && tree.label(node).starts_with("WH");
                Argument& argument = arguments.emplace_back();
                argument.role.append(prefix).append(reference ? "R-" : "").append(role);
                argument.begin = node.first_word;
                argument.end = node.last_word;
                prefix = "C-";
            }
        }
    }
    return arguments;
}

PropBankReader::PropBankReader(const std::string& path, std::string trees, const Normalization& normalization,
                               base::OnError on_error)
    : lines_(path, {.on_error = on_error}), trees_(std::move(trees)), normalizer_(normalization) {}

bool PropBankReader::next(AnnotatedSentence& sentence) {
    bool begun = false;
    std::uint64_t number = 0;
    sentence.propositions.clear();
    while (!line_.empty() || lines_.next(line_)) {
        try {
            base::RecordLines::require_utf8(line_);
            const PropBankLine line = parse_propbank_line(line_);
            if (begun && (line.sentence != number || line.file != sentence.document)) {
                return true;
            }
            if (!begun) {
                const std::string& text = tree_of(line);
                brackets_.read(text, 0, original_);
                original_tree_.assign(original_);
                brackets_.read(text, 0, sentence.tree);
                normalizer_.apply(sentence.tree);
                sentence.document = line.file;
                number = line.sentence;
                sentence_line_ = lines_.line_number();
                begun = true;
            }
            add(line, sentence);
        } catch (const SyntaxError& error) {
            lines_.refuse({lines_.place(error.offset() + 1), error.what()});
        } catch (const base::InputError& error) {
            lines_.refuse(error);
        } catch (const base::Error& error) {
            lines_.refuse({lines_.place(), error.what()});
        }
        line_ = {};
    }
    return begun;
}

void PropBankReader::open(std::string_view file) {
    if (file == file_) {
        return;
    }
    namespace fs = std::filesystem;
    texts_.clear();
    file_.clear();
    std::string path = (fs::path(trees_) / file).string();
    for (const char* ending : {".gz", ".zst"}) {
        path += !fs::exists(path) && fs::exists(path + ending) ? ending : "";
    }
    example::ExampleReader reader(path, {.format = example::ExampleFormat::kTreebank});
    for (example::Example example; reader.next(example);) {
        tree::append_tree(texts_.emplace_back(), example.trees().front());
    }
    file_ = file;
}

const std::string& PropBankReader::tree_of(const PropBankLine& line) {
    open(line.file);
    if (line.sentence >= texts_.size()) {
        throw base::Error("sentence " + std::to_string(line.sentence) + " of " + base::quoted(line.file) +
                          ", which has " + std::to_string(texts_.size()));
    }
    return texts_[line.sentence];
}

void PropBankReader::add(const PropBankLine& line, AnnotatedSentence& sentence) {
    const auto& kept = normalizer_.kept_words();
    if (line.terminal >= kept.size()) {
        throw base::Error("terminal " + std::to_string(line.terminal) + " of a tree with " +
                          std::to_string(kept.size()));
    }
    if (!kept[line.terminal]) {
        return;
    }
    const auto place = [&](std::uint32_t word) {
        return static_cast<std::uint32_t>(std::count(kept.begin(), kept.begin() + word, true));
    };
    Proposition proposition{place(line.terminal), std::string(line.roleset),
                            resolve(line.groups, original_tree_, kept)};
    for (auto& argument : proposition.arguments) {
        argument.begin = place(argument.begin);
        argument.end = place(argument.end);
    }
    sentence.propositions.push_back(std::move(proposition));
}

}  // namespace treeline::corpus
