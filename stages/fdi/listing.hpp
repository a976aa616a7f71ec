#pragma once

#include <ostream>
#include <string>

#include "fdi/relevance.hpp"
#include "store/dictionary.hpp"

namespace treeline::fdi {

/// Heading and lines of a listing: `id relevance class models size depth count fragment`, separated by tabs.
void write_heading(std::ostream& out);
void write_line(std::ostream& out, const store::Dictionary& dictionary, const store::Dictionary::Entry& entry,
                const Relevance& relevance);

/// The tree with a line per node.
[[nodiscard]] std::string text_drawing(fragment::FragmentView fragment, const tree::SymbolTable& symbols);

}  // namespace treeline::fdi
