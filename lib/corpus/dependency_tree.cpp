#include "corpus/dependency_tree.hpp"

#include <string_view>

#include "corpus/normalization.hpp"

namespace treeline::corpus {

namespace {

void append_node(tree::TreeText& tree, std::string label, std::uint32_t children) {
    tree.nodes.push_back({tree.unescaped.emplace_front(std::move(label)), children});
}

const std::string& first_known(const std::string& wanted, const std::string& other) {
    return wanted == "_" ? other : wanted;
}

const std::string& pos_of(const DependencyWord& word, DependencyOptions::Pos pos) {
    return pos == DependencyOptions::Pos::kOwn ? first_known(word.xpos, word.upos)
                                               : first_known(word.upos, word.xpos);
}

}  // namespace

void DependencyTrees::collect_dependents(const DependencySentence& sentence) {
    const auto& words = sentence.words;
    const auto is_dropped = [&](const DependencyWord& word) {
        return options_.drop_punctuation && word.upos == "PUNCT";
    };
    for (auto& list : dependents_) {
        list.clear();
    }
    dependents_.resize(words.size() + 1);
    for (std::uint32_t i = 0; i < words.size(); ++i) {
        if (is_dropped(words[i])) {
            continue;
        }
        std::uint32_t head = words[i].head;
        while (head != 0 && is_dropped(words[head - 1])) {
            head = words[head - 1].head;
        }
        dependents_[head].push_back(i);
    }
}

void DependencyTrees::make(const DependencySentence& sentence, tree::TreeText& tree) {
    tree.clear();
    collect_dependents(sentence);
    const auto& roots = dependents_[0];
    for (const std::uint32_t root : roots) {
        append_subtree(sentence, root, tree);
    }
    if (roots.size() > 1) {
        append_node(tree, "ROOT", static_cast<std::uint32_t>(roots.size()));
    }
}

void DependencyTrees::append_word(const DependencyWord& word, std::uint32_t children,
                                  tree::TreeText& tree) const {
    std::string label =
        options_.word == DependencyOptions::Word::kForm ? word.form : first_known(word.lemma, word.form);
    if (options_.lower) {
        label = to_lower(label);
    }
    if (options_.kelp_labels) {
        label = "LEX##" + label + "::" + to_lower(pos_of(word, options_.pos).substr(0, 1));
    }
    append_node(tree, std::move(label), children);
}

void DependencyTrees::append_pos(const DependencyWord& word, std::uint32_t children,
                                 tree::TreeText& tree) const {
    append_node(tree, (options_.kelp_labels ? "POS##" : "") + pos_of(word, options_.pos), children);
}

void DependencyTrees::append_relation(const DependencyWord& word, std::uint32_t children,
                                      tree::TreeText& tree) const {
    const bool cut = options_.relation == DependencyOptions::Relation::kUniversal;
    const std::string relation = cut ? word.relation.substr(0, word.relation.find(':', 1)) : word.relation;
    append_node(tree, (options_.kelp_labels ? "SYNT##" : "") + relation, children);
}

void DependencyTrees::append_subtree(const DependencySentence& sentence, std::uint32_t root,
                                     tree::TreeText& tree) {
    using enum DependencyStructure;
    const bool has_pos = options_.pos != DependencyOptions::Pos::kNone;
    const bool has_centre = options_.structure == kGrct || options_.structure == kPlain;
    open_.assign(1, {root, 0, !has_centre});
    while (!open_.empty()) {
        Open& open = open_.back();
        const auto& word = sentence.words[open.word];
        const auto& dependents = dependents_[open.word + 1];
        const bool more = open.next < dependents.size();
        if (more && (open.centred || dependents[open.next] < open.word)) {
            open_.push_back({dependents[open.next++], 0, !has_centre});
            continue;
        }
        if (!open.centred) {
            open.centred = true;
            append_word(word, 0, tree);
            if (options_.structure == kGrct && has_pos) {
                append_pos(word, 1, tree);
            }
            continue;
        }
        auto children = static_cast<std::uint32_t>(dependents.size());
        open_.pop_back();
        if (has_centre) {
            append_relation(word, children + 1, tree);
            continue;
        }
        if (options_.structure == kLct) {
            if (has_pos) {
                append_pos(word, 0, tree);
                ++children;
            }
            append_relation(word, 0, tree);
            ++children;
        }
        append_word(word, children, tree);
    }
}

}  // namespace treeline::corpus
