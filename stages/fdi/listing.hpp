#pragma once

#include <ostream>
#include <string>

#include "fdi/relevance.hpp"
#include "store/dictionary.hpp"

namespace treeline::fdi {

/// Heading and lines of a listing: `id relevance class models size depth count fragment`, separated by tabs.
void write_heading(std::ostream& out);
void write_line(std::ostream& out, const store::Dictionary& dictionary, const store::Dictionary::Entry& entry,
                const Relevance& relevance, std::uint32_t digits);

/// `value` with so many significant digits; 0 = as many as tell it from any other.
[[nodiscard]] std::string format_number(double value, std::uint32_t digits);

/// The tree with a line per node.
[[nodiscard]] std::string text_drawing(fragment::FragmentView fragment, const tree::SymbolTable& symbols);

}  // namespace treeline::fdi
