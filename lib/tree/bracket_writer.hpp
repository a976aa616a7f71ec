#pragma once

#include <string>
#include <string_view>

#include "base/names.hpp"
#include "tree/tree_text.hpp"

namespace treeline::tree {

/// How leaves are written: `(NN cat)`; as SVM-light-TK writes its models, `(NN (cat))`; or as KeLP does,
/// `(NN(cat))`.
enum class LeafStyle { kBare, kBracketed, kCompact };
inline constexpr base::NameTable<LeafStyle, 3> kLeafStyleNames{{
    {LeafStyle::kBare, "bare"},
    {LeafStyle::kBracketed, "bracketed"},
    {LeafStyle::kCompact, "compact"},
}};

/// Appends `label` with the escapes that BracketReader undoes. Throws base::Error for labels that no text
/// stands for: the empty one and those with a NUL byte or a line feed, which BracketReader never gives.
void append_label(std::string& out, std::string_view label);

/// Appends the tree in one line; reading it back gives the same nodes. The empty tree is `()`.
/// Bare style separates siblings by a space, `(NP (DT the) (NN cat))`; bracketed style does not,
/// `(NP (DT (the))(NN (cat)))`; compact style has no spaces, `(NP(DT(the))(NN(cat)))`. A tree of one leaf is
/// written in brackets in any style.
void append_tree(std::string& out, const TreeText& tree, LeafStyle style = LeafStyle::kBare);

}  // namespace treeline::tree
