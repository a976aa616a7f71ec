#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/names.hpp"
#include "corpus/conllu.hpp"
#include "tree/tree_text.hpp"

namespace treeline::corpus {

/// Trees made of a dependency parse (Croce, Moschitti & Basili 2011). Dependents stand in sentence order.
enum class DependencyStructure {
    kGrct,   ///< relations: (REL left dependents (POS word) right dependents)
    kLct,    ///< words, what else is known below: (word dependents POS REL)
    kLoct,   ///< words only: (word dependents)
    kPlain,  ///< relations with the word among its dependents: (REL left dependents word right dependents)
};
inline constexpr base::NameTable<DependencyStructure, 4> kDependencyStructureNames{{
    {DependencyStructure::kGrct, "grct"},
    {DependencyStructure::kLct, "lct"},
    {DependencyStructure::kLoct, "loct"},
    {DependencyStructure::kPlain, "plain"},
}};

struct DependencyOptions {
    enum class Word { kForm, kLemma };
    enum class Pos { kUniversal, kOwn, kNone };
    enum class Relation { kFull, kUniversal };

    DependencyStructure structure = DependencyStructure::kGrct;
    Word word = Word::kLemma;             ///< the form where there is no lemma
    Pos pos = Pos::kUniversal;            ///< UPOS, XPOS (each the other where it is `_`), or no such level
    Relation relation = Relation::kFull;  ///< kUniversal: `nmod` of `nmod:poss`
    bool lower = false;                   ///< words in lower case
    bool kelp_labels = false;             ///< `SYNT##nsubj`, `POS##NN`, `LEX##cat::n`
    bool drop_punctuation = false;        ///< words with UPOS PUNCT; what depends on them goes to their head
};
inline constexpr base::NameTable<DependencyOptions::Word, 2> kWordNames{{
    {DependencyOptions::Word::kForm, "form"},
    {DependencyOptions::Word::kLemma, "lemma"},
}};
inline constexpr base::NameTable<DependencyOptions::Pos, 3> kPosNames{{
    {DependencyOptions::Pos::kUniversal, "upos"},
    {DependencyOptions::Pos::kOwn, "xpos"},
    {DependencyOptions::Pos::kNone, "none"},
}};
inline constexpr base::NameTable<DependencyOptions::Relation, 2> kRelationNames{{
    {DependencyOptions::Relation::kFull, "full"},
    {DependencyOptions::Relation::kUniversal, "universal"},
}};

/// Makes trees of sentences. Where several words are roots, they stand under a node `ROOT`. Reuses its
/// memory; not thread-safe.
class DependencyTrees {
  public:
    explicit DependencyTrees(const DependencyOptions& options) : options_(options) {}

    /// `sentence` is as ConlluReader gives it; a sentence without words left becomes the empty tree.
    void make(const DependencySentence& sentence, tree::TreeText& tree);

  private:
    struct Open {
        std::uint32_t word;
        std::size_t next;  // of its dependents
        bool centred;      // the word itself is written
    };
    void collect_dependents(const DependencySentence& sentence);
    void append_word(const DependencyWord& word, std::uint32_t children, tree::TreeText& tree) const;
    void append_pos(const DependencyWord& word, std::uint32_t children, tree::TreeText& tree) const;
    void append_relation(const DependencyWord& word, std::uint32_t children, tree::TreeText& tree) const;
    void append_subtree(const DependencySentence& sentence, std::uint32_t root, tree::TreeText& tree);

    DependencyOptions options_;
    std::vector<std::vector<std::uint32_t>> dependents_;  // of word i - 1; of the root at 0
    std::vector<Open> open_;
};

}  // namespace treeline::corpus
