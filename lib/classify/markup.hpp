#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace treeline::classify {

/// Text as it may stand in HTML and XML; control characters, which may not, as spaces.
[[nodiscard]] std::string escape_markup(std::string_view text);

/// The first `characters` of a UTF-8 text, the last of them an ellipsis where some are left out.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t characters);

/// A number for people: three digits that carry meaning, as in 0.0123, 12.3 and 1.23e-07; with `plus` its sign, too.
[[nodiscard]] std::string shown_number(double value, bool plus = false);
/// Decimals that show `largest` with four digits that carry meaning, for numbers of one table.
[[nodiscard]] int decimals_for(double largest);
/// A number of such a table, its sign told.
[[nodiscard]] std::string fixed_number(double value, int decimals, bool plus = true);
/// A count with its thousands told apart: 12,345.
[[nodiscard]] std::string shown_count(std::uint64_t value);

/// Words as a sentence: no space before a full stop, after an opening bracket and so on; -LRB- as (.
[[nodiscard]] bool space_between(std::string_view left, std::string_view right);
[[nodiscard]] std::string_view spelled_word(std::string_view leaf);

}  // namespace treeline::classify
