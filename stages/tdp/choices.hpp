#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "corpus/argument_examples.hpp"
#include "corpus/dependency_tree.hpp"
#include "corpus/normalization.hpp"
#include "tree/bracket_writer.hpp"

/// The words of the command line and of manifests for the choices that the library offers.
namespace treeline::tdp {

template <typename T>
using Choices = std::vector<std::pair<std::string, T>>;

inline const Choices<tree::LeafStyle> kLeaves{{"bare", tree::LeafStyle::kBare},
                                              {"bracketed", tree::LeafStyle::kBracketed},
                                              {"compact", tree::LeafStyle::kCompact}};
inline const Choices<corpus::Normalization::Unary> kUnary{{"keep", corpus::Normalization::Unary::kKeep},
                                                          {"join", corpus::Normalization::Unary::kJoin},
                                                          {"top", corpus::Normalization::Unary::kTop},
                                                          {"bottom", corpus::Normalization::Unary::kBottom}};
inline const Choices<corpus::Normalization::Brackets> kBrackets{
    {"keep", corpus::Normalization::Brackets::kKeep},
    {"escape", corpus::Normalization::Brackets::kEscape},
    {"unescape", corpus::Normalization::Brackets::kUnescape}};
inline const Choices<corpus::ArgumentStructure> kArgumentStructures{
    {"ast-1", corpus::ArgumentStructure::kAst1},
    {"ast-m", corpus::ArgumentStructure::kAstM},
    {"sentence", corpus::ArgumentStructure::kSentence}};
inline const Choices<corpus::DependencyStructure> kDependencyStructures{
    {"grct", corpus::DependencyStructure::kGrct},
    {"lct", corpus::DependencyStructure::kLct},
    {"loct", corpus::DependencyStructure::kLoct},
    {"plain", corpus::DependencyStructure::kPlain}};
inline const Choices<corpus::DependencyOptions::Word> kWords{
    {"form", corpus::DependencyOptions::Word::kForm}, {"lemma", corpus::DependencyOptions::Word::kLemma}};
inline const Choices<corpus::DependencyOptions::Pos> kPos{
    {"upos", corpus::DependencyOptions::Pos::kUniversal},
    {"xpos", corpus::DependencyOptions::Pos::kOwn},
    {"none", corpus::DependencyOptions::Pos::kNone}};
inline const Choices<corpus::DependencyOptions::Relation> kRelations{
    {"full", corpus::DependencyOptions::Relation::kFull},
    {"universal", corpus::DependencyOptions::Relation::kUniversal}};

/// The word for `value`, which must have one.
template <typename T>
[[nodiscard]] std::string word_for(const Choices<T>& choices, T value) {
    for (const auto& [word, meaning] : choices) {
        if (meaning == value) {
            return word;
        }
    }
    throw std::logic_error("a choice without a word");
}

}  // namespace treeline::tdp
