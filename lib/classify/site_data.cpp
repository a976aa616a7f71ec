#include "classify/site_data.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace treeline::classify {

namespace {

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4 + 2);
    text += '"';
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            group = group << 8U | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            text += i <= count ? kDigits[group >> (18 - 6 * i) & 63U] : '=';
        }
    }
    text += '"';
    return text;
}

template <typename T>
std::string packed_words(std::span<const T> values) {
    std::string bytes;
    bytes.reserve(values.size() * 4);
    for (const T value : values) {
        const auto word = std::bit_cast<std::uint32_t>(value);
        for (unsigned shift = 0; shift < 32; shift += 8) {
            bytes += static_cast<char>(word >> shift & 255U);
        }
    }
    return base64(bytes);
}

}  // namespace

void SiteData::write(const std::string& name, std::string_view value) const {
    const std::filesystem::path path = std::filesystem::path(folder_) / "data" / (name + ".js");
    std::filesystem::create_directories(path.parent_path());
    std::string text = "site.deliver(" + json_text(name) + ",";
    text.append(value).append(");\n");
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
        throw base::SystemError("write", path.string(), errno);
    }
}

std::string json_text(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_number(double value) { return fmt::format("{:.7g}", value); }

std::string json_list(std::span<const std::uint32_t> numbers) {
    return fmt::format("[{}]", fmt::join(numbers, ","));
}

std::string packed(std::span<const float> values) { return packed_words(values); }
std::string packed(std::span<const std::uint32_t> values) { return packed_words(values); }

std::string packed_ascending(std::span<const std::uint32_t> values) {
    std::string bytes;
    std::uint32_t before = 0;
    for (const std::uint32_t value : values) {
        std::uint32_t rest = value - before;
        before = value;
        for (; rest > 127; rest >>= 7U) {
            bytes += static_cast<char>(128U | (rest & 127U));
        }
        bytes += static_cast<char>(rest);
    }
    return base64(bytes);
}

}  // namespace treeline::classify
