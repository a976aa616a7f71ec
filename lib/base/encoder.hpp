#pragma once

#include <memory>
#include <string_view>

#include "base/descriptor.hpp"

namespace treeline::base {

/// Buffers and, for names ending in `.gz` or `.zst`, compresses what is written to a descriptor. The bytes
/// depend on the content alone: no times, no names, one thread.
class Encoder {
  public:
    virtual ~Encoder() = default;
    virtual void write(std::string_view bytes) = 0;
    /// Writes what is held back and ends the compressed stream; to be called once, last.
    virtual void finish() = 0;
};

/// `file` must outlive the encoder; `name` decides the compression.
[[nodiscard]] std::unique_ptr<Encoder> make_encoder(Descriptor& file, std::string_view name);

}  // namespace treeline::base
