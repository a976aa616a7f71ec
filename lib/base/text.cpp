#include "base/text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace treeline::base {

namespace {

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-')) {
            return std::nullopt;
        }
    }
    Number value{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end) {
        return std::nullopt;
    }
    return value;
}

template <typename Number>
std::string format_number(Number value) {
    std::array<char, 64> digits{};
    const auto [stop, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return {digits.data(), stop};
}

/// Length of the UTF-8 sequence at the start of `text` (not empty); 0 where it is not valid: stray or
/// missing continuation bytes, overlong forms, surrogates, beyond U+10FFFF.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto continues = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
    const unsigned lead = byte(0);
    const unsigned second = byte(1);
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xc2 && lead <= 0xdf) {
        return continues(1) ? 2 : 0;
    }
    if (lead >= 0xe0 && lead <= 0xef) {
        const bool overlong = lead == 0xe0 && second < 0xa0;
        const bool surrogate = lead == 0xed && second > 0x9f;
        return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (lead >= 0xf0 && lead <= 0xf4) {
        const bool overlong = lead == 0xf0 && second < 0x90;
        const bool beyond = lead == 0xf4 && second > 0x8f;
        return continues(1) && continues(2) && continues(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

bool is_ascii_word(const char* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return (word & 0x8080808080808080U) == 0;
}

}  // namespace

std::optional<double> parse_double(std::string_view text) {
    const auto value = parse_number<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
    return parse_number<std::uint64_t>(text);
}

std::string format_double(double value) { return format_number(value); }
std::string format_float(float value) { return format_number(value); }

std::string quoted(std::string_view text) {
    constexpr std::size_t kLongest = 40;
    std::string result = "'";
    for (std::size_t shown = 0; !text.empty(); ++shown) {
        if (shown == kLongest) {
            result += "...";
            break;
        }
        const auto byte = static_cast<unsigned char>(text.front());
        std::size_t length = utf8_length(text);
        if (length == 0 || byte < 0x20 || byte == 0x7f) {
            length = 1;
            result += fmt::format("\\x{:02x}", byte);
        } else {
            result += text.substr(0, length);
        }
        text.remove_prefix(length);
    }
    return result += '\'';
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        if (at + sizeof(std::uint64_t) <= text.size() && is_ascii_word(text.data() + at)) {
            at += sizeof(std::uint64_t);
            continue;
        }
        const std::size_t length = utf8_length(text.substr(at));
        if (length == 0) {
            return at;
        }
        at += length;
    }
    return std::nullopt;
}

}  // namespace treeline::base
