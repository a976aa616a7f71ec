#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/argument_examples.hpp"
#include "data/dependency_tree.hpp"
#include "data/example_source.hpp"
#include "data/normalization.hpp"
#include "tree/bracket_writer.hpp"

/// The words of the command line and of manifests for the choices that the library offers.
namespace treeline::tdp {

template <typename T>
using Choices = std::vector<std::pair<std::string, T>>;

inline const Choices<data::DataFormat> kFormats{{"ptb", data::DataFormat::kTreebank},
                                                {"trees", data::DataFormat::kTrees},
                                                {"svmlight-tk", data::DataFormat::kSvmLightTk},
                                                {"label-tab-tree", data::DataFormat::kLabelTabTree},
                                                {"kelp", data::DataFormat::kKelp},
                                                {"libsvm", data::DataFormat::kLibsvm}};
inline const Choices<tree::LeafStyle> kLeaves{{"bare", tree::LeafStyle::kBare},
                                              {"bracketed", tree::LeafStyle::kBracketed},
                                              {"compact", tree::LeafStyle::kCompact}};
inline const Choices<data::Normalization::Unary> kUnary{{"keep", data::Normalization::Unary::kKeep},
                                                        {"join", data::Normalization::Unary::kJoin},
                                                        {"top", data::Normalization::Unary::kTop},
                                                        {"bottom", data::Normalization::Unary::kBottom}};
inline const Choices<data::Normalization::Brackets> kBrackets{
    {"keep", data::Normalization::Brackets::kKeep},
    {"escape", data::Normalization::Brackets::kEscape},
    {"unescape", data::Normalization::Brackets::kUnescape}};
inline const Choices<data::ArgumentStructure> kArgumentStructures{
    {"ast-1", data::ArgumentStructure::kAst1},
    {"ast-m", data::ArgumentStructure::kAstM},
    {"sentence", data::ArgumentStructure::kSentence}};
inline const Choices<data::DependencyStructure> kDependencyStructures{
    {"grct", data::DependencyStructure::kGrct},
    {"lct", data::DependencyStructure::kLct},
    {"loct", data::DependencyStructure::kLoct},
    {"plain", data::DependencyStructure::kPlain}};
inline const Choices<data::DependencyOptions::Word> kWords{{"form", data::DependencyOptions::Word::kForm},
                                                           {"lemma", data::DependencyOptions::Word::kLemma}};
inline const Choices<data::DependencyOptions::Pos> kPos{{"upos", data::DependencyOptions::Pos::kUniversal},
                                                        {"xpos", data::DependencyOptions::Pos::kOwn},
                                                        {"none", data::DependencyOptions::Pos::kNone}};
inline const Choices<data::DependencyOptions::Relation> kRelations{
    {"full", data::DependencyOptions::Relation::kFull},
    {"universal", data::DependencyOptions::Relation::kUniversal}};

/// The word for `value`; `auto` for what has none.
template <typename T>
[[nodiscard]] std::string word_for(const Choices<T>& choices, T value) {
    for (const auto& [word, meaning] : choices) {
        if (meaning == value) {
            return word;
        }
    }
    return "auto";
}

}  // namespace treeline::tdp
