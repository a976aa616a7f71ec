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

/// `text` in single quotes, cut to some 40 characters, control bytes as \xNN: for error messages.
[[nodiscard]] std::string quoted(std::string_view text);

/// Number of the first byte that is not valid UTF-8 (counted from 0), if there is one.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text);

}  // namespace treeline::base
