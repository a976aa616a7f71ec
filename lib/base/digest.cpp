#include "base/digest.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fmt/format.h>

#include <array>
#include <new>

#include "base/descriptor.hpp"

namespace treeline::base {

namespace {

std::string to_hex(XXH128_hash_t value) { return fmt::format("{:016x}{:016x}", value.high64, value.low64); }

}  // namespace

struct Digest::Impl {
    alignas(64) XXH3_state_t state;
};

Digest::Digest() : impl_(std::make_unique<Impl>()) { XXH3_128bits_reset(&impl_->state); }
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;
Digest::~Digest() = default;

void Digest::update(std::string_view bytes) {
    XXH3_128bits_update(&impl_->state, bytes.data(), bytes.size());
}

std::string Digest::hex() const { return to_hex(XXH3_128bits_digest(&impl_->state)); }

std::string digest_bytes(std::string_view bytes) { return to_hex(XXH3_128bits(bytes.data(), bytes.size())); }

std::string digest_file(const std::string& path) {
    Descriptor file = Descriptor::open_for_reading(path);
    std::array<char, 1 << 16> buffer;  // not filled first: most files are smaller
    Digest digest;
    while (const std::size_t got = file.read_some(buffer)) {
        digest.update({buffer.data(), got});
    }
    return digest.hex();
}

std::uint64_t hash64(std::string_view bytes, std::uint64_t seed) {
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace treeline::base
