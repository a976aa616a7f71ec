#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace treeline::base {

/// 128-bit XXH3 of a byte sequence, written as 32 hexadecimal digits. A checksum against damage and
/// mix-ups, not against forgery.
class Digest {
  public:
    Digest();
    Digest(Digest&&) noexcept;
    Digest& operator=(Digest&&) noexcept;
    ~Digest();

    void update(std::string_view bytes);
    /// May be called at any time; does not end the sequence.
    [[nodiscard]] std::string hex() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

[[nodiscard]] std::string digest_bytes(std::string_view bytes);
/// Of the bytes on disk (not decompressed).
[[nodiscard]] std::string digest_file(const std::string& path);

/// 64-bit XXH3, for hash tables.
[[nodiscard]] std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);

}  // namespace treeline::base
