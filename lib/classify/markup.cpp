#include "classify/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace treeline::classify {

namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

/// Of a number with an exponent: 1.2e-07 and not 1.20e-07.
std::string without_zeros(std::string text) {
    const std::size_t mantissa = std::min(text.find('e'), text.size());
    if (text.find('.') < mantissa) {
        std::size_t end = mantissa;
        while (text[end - 1] == '0') {
            --end;
        }
        end -= text[end - 1] == '.' ? 1 : 0;
        text.erase(end, mantissa - end);
    }
    return text;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
    return std::ranges::find(list, word) != list.end();
}

}  // namespace

std::string escape_markup(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            default: escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return escaped;
}

std::string shortened(std::string_view text, std::size_t characters) {
    std::size_t count = 0;
    std::size_t last = 0;  // where the last character that may stay before an ellipsis ends
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (is_continuation(text[at])) {
            continue;
        }
        if (count + 1 == characters) {
            last = at;
        }
        if (++count > characters) {
            return std::string(text.substr(0, last)) + "…";
        }
    }
    return std::string(text);
}

std::string shown_number(double value, bool plus) {
    const double size = std::abs(value);
    const char* const sign = value < 0 ? "−" : plus && value > 0 ? "+" : "";
    if (size == 0) {
        return "0";
    }
    if (!std::isfinite(size)) {
        return fmt::format("{}", value);
    }
    if (size >= 1e6 || size < 1e-4) {
        return sign + without_zeros(fmt::format("{:.2e}", size));
    }
    const int digits = std::max(0, 2 - static_cast<int>(std::floor(std::log10(size))));
    return sign + fmt::format("{:.{}f}", size, digits);
}

int decimals_for(double largest) {
    const double size = std::abs(largest);
    return size == 0 || !std::isfinite(size)
               ? 0
               : std::clamp(3 - static_cast<int>(std::floor(std::log10(size))), 0, 12);
}

std::string fixed_number(double value, int decimals, bool plus) {
    std::string text = fmt::format("{:.{}f}", std::abs(value), decimals);
    const bool zero = text.find_first_not_of("0.") == std::string::npos;
    return (zero ? "" : value < 0 ? "−" : plus ? "+" : "") + text;
}

std::string shown_count(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t at = text.size(); at > 3; at -= 3) {
        text.insert(at - 3, ",");
    }
    return text;
}

bool space_between(std::string_view left, std::string_view right) {
    return !is_one_of(right, {".", ",", "?", "!", ":", ";", "%", ")", "]", "}", "''", "n't", "-RRB-", "-RSB-",
                              "-RCB-"}) &&
           !right.starts_with("'") &&
           !is_one_of(left, {"(", "[", "{", "``", "$", "#", "-LRB-", "-LSB-", "-LCB-"});
}

std::string_view spelled_word(std::string_view leaf) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kSpellings{{{"-LRB-", "("},
                                                                                       {"-RRB-", ")"},
                                                                                       {"-LSB-", "["},
                                                                                       {"-RSB-", "]"},
                                                                                       {"-LCB-", "{"},
                                                                                       {"-RCB-", "}"},
                                                                                       {"``", "“"},
                                                                                       {"''", "”"}}};
    for (const auto& [written, spelled] : kSpellings) {
        if (leaf == written) {
            return spelled;
        }
    }
    return leaf;
}

}  // namespace treeline::classify
