#include "base/decoder.hpp"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <new>
#include <vector>

#include "base/descriptor.hpp"
#include "base/error.hpp"

namespace treeline::base {

namespace {

#ifdef TREELINE_SMALL_BUFFERS
constexpr std::size_t kCompressedBuffer = 64;
#else
constexpr std::size_t kCompressedBuffer = std::size_t{1} << 17;
#endif
constexpr std::size_t kMagic = 4;
constexpr std::size_t kLongestMagic = 10;
/// xz -9 takes 65 MB to unpack; a header may ask for much more.
constexpr std::uint64_t kMemoryOfXz = std::uint64_t{1} << 30;

/// The bytes on disk, with a buffer whose first content decides how they are decoded.
class RawInput {
  public:
    explicit RawInput(const std::string& path)
        : file_(Descriptor::open_for_reading(path)), path_(path), buffer_(kCompressedBuffer) {
        hold(kMagic);
    }

    /// Makes bytes() have at least so many, as long as nothing was consumed and the file has them.
    void hold(std::size_t count) {
        while (end_ < count && append()) {
        }
    }

    /// Unread bytes of the buffer.
    [[nodiscard]] std::string_view bytes() const { return {buffer_.data() + begin_, end_ - begin_}; }
    void consume(std::size_t count) { begin_ += count; }

    /// Makes bytes() non-empty; false at the end of the file.
    bool refill() {
        if (begin_ < end_) {
            return true;
        }
        begin_ = end_ = 0;
        return append();
    }

    /// Past the buffer, straight into `target`.
    std::size_t read_through(std::span<char> target) { return file_.read_some(target); }

    [[noreturn]] void fail(std::string_view problem) const { throw InputError({path_}, problem); }

  private:
    bool append() {
        const std::size_t got = file_.read_some(std::span(buffer_).subspan(end_));
        end_ += got;
        return got > 0;
    }

    Descriptor file_;
    std::string path_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

class PlainDecoder final : public Decoder {
  public:
    explicit PlainDecoder(RawInput input) : input_(std::move(input)) {}

    std::size_t read_some(std::span<char> buffer) override {
        const std::string_view held = input_.bytes();
        if (held.empty()) {
            return input_.read_through(buffer);
        }
        const std::size_t count = held.copy(buffer.data(), buffer.size());
        input_.consume(count);
        return count;
    }

  private:
    RawInput input_;
};

class GzipDecoder final : public Decoder {
  public:
    explicit GzipDecoder(RawInput input) : input_(std::move(input)) {
        constexpr int kGzipWindow = 15 + 16;
        if (inflateInit2(&state_, kGzipWindow) != Z_OK) {
            throw std::bad_alloc();
        }
    }
    GzipDecoder(const GzipDecoder&) = delete;
    GzipDecoder& operator=(const GzipDecoder&) = delete;
    ~GzipDecoder() override { inflateEnd(&state_); }

    std::size_t read_some(std::span<char> buffer) override {
        const std::size_t wanted = std::min<std::size_t>(buffer.size(), std::numeric_limits<uInt>::max());
        state_.next_out = reinterpret_cast<Bytef*>(buffer.data());
        state_.avail_out = static_cast<uInt>(wanted);
        while (state_.avail_out == wanted && begin_member()) {
            inflate_once();
        }
        return wanted - state_.avail_out;
    }

  private:
    /// False at the end of the last member.
    bool begin_member() {
        if (!input_.refill()) {
            if (inside_member_) {
                input_.fail("truncated gzip data; copy or make the file again");
            }
            return false;
        }
        if (!inside_member_) {
            if (input_.bytes().front() != '\x1f') {
                input_.fail("bytes that are not gzip after the end of the gzip data");
            }
            inflateReset(&state_);
            inside_member_ = true;
        }
        return true;
    }

    void inflate_once() {
        const std::string_view held = input_.bytes();
        state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(held.data()));
        state_.avail_in = static_cast<uInt>(held.size());
        const int status = inflate(&state_, Z_NO_FLUSH);
        input_.consume(held.size() - state_.avail_in);
        if (status == Z_STREAM_END) {
            inside_member_ = false;
        } else if (status == Z_MEM_ERROR) {
            throw std::bad_alloc();
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            input_.fail(std::string("corrupt gzip data (") +
                        (state_.msg != nullptr ? state_.msg : "unknown reason") +
                        "); copy or make the file again");
        }
    }

    RawInput input_;
    z_stream state_{};
    bool inside_member_ = false;
};

class ZstdDecoder final : public Decoder {
  public:
    explicit ZstdDecoder(RawInput input) : input_(std::move(input)), state_(ZSTD_createDStream()) {
        if (state_ == nullptr) {
            throw std::bad_alloc();
        }
    }
    ZstdDecoder(const ZstdDecoder&) = delete;
    ZstdDecoder& operator=(const ZstdDecoder&) = delete;
    ~ZstdDecoder() override { ZSTD_freeDStream(state_); }

    std::size_t read_some(std::span<char> buffer) override {
        ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
        // Output held back by a full buffer comes without further input, so it is asked for first.
        while (out.pos == 0) {
            if (!input_.refill() && !inside_frame_) {
                break;
            }
            const std::string_view held = input_.bytes();
            ZSTD_inBuffer in{held.data(), held.size(), 0};
            const std::size_t hint = ZSTD_decompressStream(state_, &out, &in);
            if (ZSTD_isError(hint) != 0) {
                input_.fail(std::string("corrupt zstd data (") + ZSTD_getErrorName(hint) +
                            "); copy or make the file again");
            }
            input_.consume(in.pos);
            inside_frame_ = hint != 0;
            if (held.empty() && out.pos == 0 && inside_frame_) {
                input_.fail("truncated zstd data; copy or make the file again");
            }
        }
        return out.pos;
    }

  private:
    RawInput input_;
    ZSTD_DStream* state_;
    bool inside_frame_ = false;
};

class Bzip2Decoder final : public Decoder {
  public:
    explicit Bzip2Decoder(RawInput input) : input_(std::move(input)) {}
    Bzip2Decoder(const Bzip2Decoder&) = delete;
    Bzip2Decoder& operator=(const Bzip2Decoder&) = delete;
    ~Bzip2Decoder() override { end_stream(); }

    std::size_t read_some(std::span<char> buffer) override {
        const std::size_t wanted = std::min<std::size_t>(buffer.size(), std::numeric_limits<unsigned>::max());
        state_.next_out = buffer.data();
        state_.avail_out = static_cast<unsigned>(wanted);
        while (state_.avail_out == wanted && (input_.refill() || inside_stream_)) {
            if (!inside_stream_) {
                begin_stream();
            }
            unpack_once();
        }
        return wanted - state_.avail_out;
    }

  private:
    void begin_stream() {
        if (BZ2_bzDecompressInit(&state_, 0, 0) != BZ_OK) {
            throw std::bad_alloc();
        }
        inside_stream_ = true;
    }
    void end_stream() {
        if (inside_stream_) {
            BZ2_bzDecompressEnd(&state_);
            inside_stream_ = false;
        }
    }

    void unpack_once() {
        const std::string_view held = input_.bytes();
        const unsigned room = state_.avail_out;
        state_.next_in = const_cast<char*>(held.data());
        state_.avail_in = static_cast<unsigned>(held.size());
        const int status = BZ2_bzDecompress(&state_);
        input_.consume(held.size() - state_.avail_in);
        if (status == BZ_STREAM_END) {
            end_stream();
        } else if (status == BZ_MEM_ERROR) {
            throw std::bad_alloc();
        } else if (status != BZ_OK) {
            input_.fail("corrupt bzip2 data; copy or make the file again");
        } else if (held.empty() && state_.avail_out == room) {
            input_.fail("truncated bzip2 data; copy or make the file again");
        }
    }

    RawInput input_;
    bz_stream state_{};
    bool inside_stream_ = false;
};

class XzDecoder final : public Decoder {
  public:
    explicit XzDecoder(RawInput input) : input_(std::move(input)) {
        if (lzma_stream_decoder(&state_, kMemoryOfXz, LZMA_CONCATENATED) != LZMA_OK) {
            throw std::bad_alloc();
        }
    }
    XzDecoder(const XzDecoder&) = delete;
    XzDecoder& operator=(const XzDecoder&) = delete;
    ~XzDecoder() override { lzma_end(&state_); }

    std::size_t read_some(std::span<char> buffer) override {
        state_.next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
        state_.avail_out = buffer.size();
        while (state_.avail_out == buffer.size() && !ended_) {
            const bool more = input_.refill();
            const std::string_view held = input_.bytes();
            state_.next_in = reinterpret_cast<const std::uint8_t*>(held.data());
            state_.avail_in = held.size();
            const lzma_ret status = lzma_code(&state_, more ? LZMA_RUN : LZMA_FINISH);
            input_.consume(held.size() - state_.avail_in);
            check(status);
        }
        return buffer.size() - state_.avail_out;
    }

  private:
    void check(lzma_ret status) {
        switch (status) {
            case LZMA_OK: break;
            case LZMA_STREAM_END: ended_ = true; break;
            case LZMA_MEM_ERROR: throw std::bad_alloc();
            case LZMA_MEMLIMIT_ERROR:
                input_.fail("xz data that takes more than 1 GB of memory to unpack; unpack the file first");
            case LZMA_BUF_ERROR: input_.fail("truncated xz data; copy or make the file again");
            default: input_.fail("corrupt xz data; copy or make the file again");
        }
    }

    RawInput input_;
    lzma_stream state_ = LZMA_STREAM_INIT;
    bool ended_ = false;
};

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

bool is_zstd(std::string_view bytes) {
    const bool data_frame = bytes.starts_with("\x28\xb5\x2f\xfd");
    const bool skippable_frame = bytes.size() >= 4 &&
                                 (static_cast<unsigned char>(bytes[0]) & 0xf0U) == 0x50 &&
                                 bytes.substr(1, 3) == "\x2a\x4d\x18";
    return data_frame || skippable_frame;
}

/// A text may start with "BZh9": only then more than the first bytes is waited for.
bool is_bzip2(RawInput& input) {
    if (!input.bytes().starts_with("BZh")) {
        return false;
    }
    input.hold(kLongestMagic);
    const auto block = input.bytes().substr(std::min(kMagic, input.bytes().size()));
    return block.starts_with("\x31\x41\x59\x26\x53\x59") || block.starts_with("\x17\x72\x45\x38\x50\x90");
}

bool is_xz(std::string_view bytes) {
    return bytes.starts_with(
        "\xfd"
        "7zX");
}

}  // namespace

std::unique_ptr<Decoder> make_decoder(const std::string& path) {
    RawInput input(path);
    if (is_gzip(input.bytes())) {
        return std::make_unique<GzipDecoder>(std::move(input));
    }
    if (is_zstd(input.bytes())) {
        return std::make_unique<ZstdDecoder>(std::move(input));
    }
    if (is_bzip2(input)) {
        return std::make_unique<Bzip2Decoder>(std::move(input));
    }
    if (is_xz(input.bytes())) {
        return std::make_unique<XzDecoder>(std::move(input));
    }
    if (input.bytes().starts_with("PK\x03\x04")) {
        input.fail("zip data; expected plain text, gzip, zstd, bzip2 or xz: unpack the file");
    }
    return std::make_unique<PlainDecoder>(std::move(input));
}

}  // namespace treeline::base
