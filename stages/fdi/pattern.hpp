#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fragment/fragment.hpp"
#include "tree/symbols.hpp"

namespace treeline::fdi {

/// A pattern of fragments, written like one: `(NP (DT the) *)`. It is looked for at every node of a fragment.
/// A `*` inside a label stands for any text; a bare `*` for any number of children; a node in brackets
/// without children,
/// `(NN)`, for any node of that label whatever is below it; a bare word for a leaf.
class Pattern {
  public:
    /// Throws base::UsageError that shows the place.
    explicit Pattern(std::string_view text);

    [[nodiscard]] bool matches(fragment::FragmentView fragment, const tree::SymbolTable& symbols) const;

  private:
    [[nodiscard]] bool node_matches(std::size_t node, fragment::FragmentView fragment, std::size_t at,
                                    const tree::SymbolTable& symbols,
                                    const std::vector<std::vector<bool>>& below) const;

    tree::SymbolTable symbols_;
    fragment::Fragment nodes_;
    std::vector<std::vector<std::size_t>> children_;
};

}  // namespace treeline::fdi
