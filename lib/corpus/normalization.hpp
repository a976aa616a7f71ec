#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/names.hpp"
#include "tree/tree_text.hpp"

namespace treeline::corpus {

/// What to change in trees before they are used. Words are leaves; a part of speech is a node over words
/// only.
struct Normalization {
    enum class Unary { kKeep, kJoin, kTop, kBottom };
    enum class Brackets { kKeep, kEscape, kUnescape };

    bool strip_functions = false;  ///< `NP-SBJ-1` and `NP=2` become `NP`; labels that start with `-` stay
    bool strip_traces = false;     ///< `-NONE-` with what is below, and nodes left without words
    bool lower_words = false;
    bool drop_words = false;  ///< parts of speech become the leaves
    /// Chains of phrases with one child each become one node, labelled `S+VP`, `S` or `VP`. A part of speech
    /// stays a node of its own.
    Unary unary = Unary::kKeep;
    /// Brackets in words become `-LRB-`, `-RRB-`, `-LCB-`, `-RCB-`, `-LSB-`, `-RSB-`, or the other way round.
    Brackets brackets = Brackets::kKeep;
    bool operator==(const Normalization&) const = default;
};
inline constexpr base::NameTable<Normalization::Unary, 4> kUnaryNames{{
    {Normalization::Unary::kKeep, "keep"},
    {Normalization::Unary::kJoin, "join"},
    {Normalization::Unary::kTop, "top"},
    {Normalization::Unary::kBottom, "bottom"},
}};
inline constexpr base::NameTable<Normalization::Brackets, 3> kBracketsNames{{
    {Normalization::Brackets::kKeep, "keep"},
    {Normalization::Brackets::kEscape, "escape"},
    {Normalization::Brackets::kUnescape, "unescape"},
}};

/// Rewrites trees. Reuses its memory; not thread-safe.
class Normalizer {
  public:
    explicit Normalizer(const Normalization& normalization) : normalization_(normalization) {}

    /// A tree of which nothing is left becomes the empty tree.
    void apply(tree::TreeText& tree);

    /// Of each word of the tree last given, whether it was kept.
    [[nodiscard]] const std::vector<bool>& kept_words() const { return kept_words_; }

  private:
    struct Below {
        bool is_leaf;
        bool is_pos;
    };
    struct Join {
        std::size_t node;
        std::string_view label;  // of a node above it that becomes one with it
    };
    void join_labels(tree::TreeText& tree);
    [[nodiscard]] std::string_view word(tree::TreeText& tree, std::string_view word) const;
    [[nodiscard]] std::string_view label(std::string_view label) const;

    Normalization normalization_;
    std::vector<tree::TreeText::Node> nodes_;  // of the tree in the making
    std::vector<std::uint32_t> counts_;        // of the nodes read that wait for a parent: 1 if kept, else 0
    std::vector<Below> below_;                 // of those that are kept
    std::vector<Join> joins_;
    std::vector<bool> kept_words_;
};

/// `text` in lower case, all of Unicode that the C library knows; bytes that are not UTF-8 stay.
[[nodiscard]] std::string to_lower(std::string_view text);

}  // namespace treeline::corpus
