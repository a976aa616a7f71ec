#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace treeline::classify {

/// Files data/NAME.js of a site that opens from disk: each hands one value to the page's script by `site.deliver(NAME, value)`,
/// because a page that was not fetched from a server may load scripts but not read files.
class SiteData {
  public:
    /// `folder` is that of the site.
    explicit SiteData(std::string folder) : folder_(std::move(folder)) {}

    /// `value` is JSON. `name` may have one folder in it, as in `chunk/3`. Not synced: the folder of the site is, when it
    /// appears. Thread-safe for different names. Throws SystemError.
    void write(const std::string& name, std::string_view value) const;

  private:
    std::string folder_;
};

/// A JSON string; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string json_text(std::string_view text);
/// A number with the digits that tell floats apart.
[[nodiscard]] std::string json_number(double value);
/// Numbers as a JSON array.
[[nodiscard]] std::string json_list(std::span<const std::uint32_t> numbers);

/// Little-endian bytes in base 64, a JSON string.
[[nodiscard]] std::string packed(std::span<const float> values);
[[nodiscard]] std::string packed(std::span<const std::uint32_t> values);
/// Ascending numbers as differences, seven bits a byte, the last byte of each below 128; in base 64, a JSON string.
[[nodiscard]] std::string packed_ascending(std::span<const std::uint32_t> values);

}  // namespace treeline::classify
