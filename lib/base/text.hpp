#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace treeline::base {

/// A double from the whole of `text`, independent of the locale; nothing for anything else, such as an empty
/// text, "1.5x" or " 1". Accepts a leading '+'. "nan" and "inf" are not numbers here.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> parse_unsigned(std::string_view text);

/// Shortest decimal text that reads back as the same value.
[[nodiscard]] std::string format_double(double value);
[[nodiscard]] std::string format_float(float value);

/// True for the characters that separate words: space, tab, CR, LF, vertical tab, form feed.
[[nodiscard]] constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// True if `text` has nothing but white space.
[[nodiscard]] constexpr bool is_blank(std::string_view text) {
    for (const char c : text) {
        if (!is_space(c)) {
            return false;
        }
    }
    return true;
}

/// Without white space at its ends.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_space(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

/// `text` in single quotes, cut to some 40 characters, control bytes as \xNN: for error messages.
[[nodiscard]] std::string quoted(std::string_view text);

/// Number of the first byte that is not valid UTF-8 (counted from 0), if there is one.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// For error messages.
inline constexpr std::string_view kIsUtf16 =
    "UTF-16 text; expected UTF-8: convert the file, with iconv -f UTF-16 -t UTF-8";

}  // namespace treeline::base
