#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace treeline::base {

/// Turns the bytes of a file into its content, a subclass for each compression.
class Decoder {
  public:
    Decoder() = default;
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
    virtual ~Decoder() = default;

    /// What is there without waiting for more, at least a byte; 0 only at the end. Throws InputError at corrupt or
    /// truncated data.
    virtual std::size_t read_some(std::span<char> buffer) = 0;
};

/// The decoder of a file (`-` is standard input), by its first bytes: gzip, zstd, bzip2, xz, else plain. Throws
/// SystemError where it cannot be opened, InputError for a compression that is not read here.
[[nodiscard]] std::unique_ptr<Decoder> make_decoder(const std::string& path);

}  // namespace treeline::base
