#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/names.hpp"
#include "corpus/proposition.hpp"
#include "corpus/sentence_tree.hpp"

namespace treeline::corpus {

/// What a tree of a predicate and a candidate argument shows (Moschitti, Pighin & Basili 2008).
enum class ArgumentStructure {
    kAst1,      ///< from their lowest common ancestor the path to each, and the candidate's subtree
    kAstM,      ///< the same with the predicate's label marked `-P`, the candidate's `-B`
    kSentence,  ///< the whole tree with these marks
};
inline constexpr base::NameTable<ArgumentStructure, 3> kArgumentStructureNames{{
    {ArgumentStructure::kAst1, "ast-1"},
    {ArgumentStructure::kAstM, "ast-m"},
    {ArgumentStructure::kSentence, "sentence"},
}};

struct ArgumentOptions {
    ArgumentStructure structure = ArgumentStructure::kAstM;
    /// A predicate's part of speech starts with one of these; none = any.
    std::vector<std::string> predicates{"VB"};
    /// Rolesets to leave out; `be.*` stands for all of be. The default: verbs that are mostly auxiliary.
    std::vector<std::string> without{"be.*", "have.01", "have.02", "do.01", "get.03", "go.04", "use.03"};
    /// Only the candidates of Xue & Palmer 2004: sisters of the predicate and of each of its ancestors that
    /// are not coordinated with it, and the children of those that are PPs.
    bool prune = false;
};

/// One candidate: its tree, whether it is an argument, and in which plain role `A0`..`A5` (empty for others).
struct ArgumentExample {
    std::string_view tree;
    bool is_argument = false;
    std::string_view role;
};

/// Makes the examples of annotated sentences. Candidates are all nodes but the predicate's and those above
/// it, in pre-order. A candidate is an argument if it covers exactly its words: any phrase node, and a part
/// of speech where no phrase covers the same. V and C-V are no arguments. Reuses its memory; not thread-safe.
class ArgumentExamples {
  public:
    explicit ArgumentExamples(ArgumentOptions options) : options_(std::move(options)) {}

    [[nodiscard]] bool wants(const SentenceTree& tree, const Proposition& proposition) const;

    /// Hands the examples of one proposition to `take`; their views live during the call.
    void make(const SentenceTree& tree, const Proposition& proposition,
              const std::function<void(const ArgumentExample&)>& take);

  private:
    void collect_pruned(const SentenceTree& tree, std::uint32_t predicate);
    void append_structure(const SentenceTree& tree, std::uint32_t predicate, std::uint32_t candidate);

    ArgumentOptions options_;
    std::vector<std::uint32_t> candidates_;
    std::vector<std::uint32_t> path_;
    std::string text_;
};

}  // namespace treeline::corpus
