#include "base/format_names.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace treeline::base {

std::string mark_of(const formats::Format& format) {
    return fmt::format("{} {}", format.words, format.version);
}

std::optional<int> version_of(const formats::Format& format, std::string_view mark) {
    constexpr std::size_t kMostDigits = 6;
    if (!mark.starts_with(format.words) || !mark.substr(format.words.size()).starts_with(' ')) {
        return std::nullopt;
    }
    const std::string_view digits = mark.substr(format.words.size() + 1);
    const auto version = digits.size() <= kMostDigits ? parse_unsigned(digits) : std::nullopt;
    return version ? std::optional(static_cast<int>(*version)) : std::nullopt;
}

std::optional<int> known_version_of(const formats::Format& format, std::string_view mark) {
    const auto version = version_of(format, mark);
    return version && *version >= 1 && *version <= format.version ? version : std::nullopt;
}

std::string describe_other(const formats::Format& format, std::string_view mark) {
    if (const auto version = version_of(format, mark)) {
        return fmt::format(
            "is of version {} of its format, and this program reads version {}: make it again, or use the "
            "programs that made it",
            *version, format.version);
    }
    return fmt::format("found {}; expected '{}'", quoted(mark), mark_of(format));
}

}  // namespace treeline::base
