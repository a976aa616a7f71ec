#include "base/input.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "base/descriptor.hpp"

namespace treeline::base {

namespace {

constexpr std::size_t kCompressedBuffer = std::size_t{1} << 17;
constexpr std::size_t kLineBuffer = std::size_t{1} << 18;
constexpr std::size_t kLongestMagic = 4;

/// The bytes on disk, with a buffer whose first content decides how they are decoded.
class RawInput {
  public:
    explicit RawInput(const std::string& path)
        : file_(Descriptor::open_for_reading(path)), path_(path), buffer_(kCompressedBuffer) {
        while (end_ < kLongestMagic && append()) {
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

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

bool is_zstd(std::string_view bytes) {
    const bool data_frame = bytes.starts_with("\x28\xb5\x2f\xfd");
    const bool skippable_frame = bytes.size() >= 4 &&
                                 (static_cast<unsigned char>(bytes[0]) & 0xf0U) == 0x50 &&
                                 bytes.substr(1, 3) == "\x2a\x4d\x18";
    return data_frame || skippable_frame;
}

/// The name of a compression that is not read here, if `bytes` start so.
std::string_view find_other_compression(std::string_view bytes) {
    if (bytes.starts_with("\xfd"
                          "7zX")) {
        return "xz";
    }
    if (bytes.starts_with("BZh") && bytes.substr(0, 10).ends_with("\x31\x41\x59\x26\x53\x59")) {
        return "bzip2";
    }
    return bytes.starts_with("PK\x03\x04") ? "zip" : "";
}

}  // namespace

/// Turns raw bytes into content; read() returns 0 only at the end of `buffer`'s source.
class InputStream::Decoder {
  public:
    virtual ~Decoder() = default;
    virtual std::size_t read_some(std::span<char> buffer) = 0;
};

namespace {

class PlainDecoder final : public InputStream::Decoder {
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

class GzipDecoder final : public InputStream::Decoder {
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

class ZstdDecoder final : public InputStream::Decoder {
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

std::unique_ptr<InputStream::Decoder> make_decoder(const std::string& path) {
    RawInput input(path);
    if (is_gzip(input.bytes())) {
        return std::make_unique<GzipDecoder>(std::move(input));
    }
    if (is_zstd(input.bytes())) {
        return std::make_unique<ZstdDecoder>(std::move(input));
    }
    if (const auto other = find_other_compression(input.bytes()); !other.empty()) {
        input.fail(
            std::string(other) +
            " data; expected plain text, gzip or zstd: unpack the file, or read its content as - from a pipe");
    }
    return std::make_unique<PlainDecoder>(std::move(input));
}

}  // namespace

InputStream::InputStream(std::string path) : path_(std::move(path)), decoder_(make_decoder(path_)) {}
InputStream::InputStream(InputStream&&) noexcept = default;
InputStream& InputStream::operator=(InputStream&&) noexcept = default;
InputStream::~InputStream() = default;

std::size_t InputStream::read(std::span<char> buffer) {
    std::size_t filled = 0;
    while (filled < buffer.size()) {
        const std::size_t got = decoder_->read_some(buffer.subspan(filled));
        if (got == 0) {
            break;
        }
        filled += got;
    }
    return filled;
}

std::size_t InputStream::read_some(std::span<char> buffer) { return decoder_->read_some(buffer); }

const std::string& InputStream::path() const { return path_; }

LineReader::LineReader(std::string path) : stream_(std::move(path)), buffer_(kLineBuffer, '\0') {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    const auto held = [this] { return std::string_view(buffer_.data(), end_); };
    while (end_ < kByteOrderMark.size() && kByteOrderMark.starts_with(held()) && fill()) {
    }
    if (held().starts_with(kByteOrderMark)) {
        begin_ = kByteOrderMark.size();
    }
}

bool LineReader::next(std::string_view& line) {
    std::size_t scanned = 0;
    for (;;) {
        const char* start = buffer_.data() + begin_;
        const std::size_t held = end_ - begin_;
        const auto* newline = static_cast<const char*>(std::memchr(start + scanned, '\n', held - scanned));
        if (newline != nullptr) {
            line = {start, static_cast<std::size_t>(newline - start)};
            begin_ += line.size() + 1;
            if (line.ends_with('\r')) {
                line.remove_suffix(1);
            }
            ++line_number_;
            return true;
        }
        scanned = held;
        if (!fill()) {
            line = {buffer_.data() + begin_, held};
            begin_ = end_;
            line_number_ += held > 0 ? 1 : 0;
            return held > 0;
        }
    }
}

bool LineReader::has_line() const {
    return ended_ || std::memchr(buffer_.data() + begin_, '\n', end_ - begin_) != nullptr;
}

bool LineReader::fill() {
    if (ended_) {
        return false;
    }
    const std::size_t held = end_ - begin_;
    std::memmove(buffer_.data(), buffer_.data() + begin_, held);
    begin_ = 0;
    end_ = held;
    if (held > buffer_.size() / 2) {
        buffer_.resize(2 * buffer_.size());
    }
    const std::span<char> room = std::span(buffer_).subspan(held);
    const std::size_t got = stream_.read_some(room);
    end_ += got;
    ended_ = got == 0;
    return got > 0;
}

Place LineReader::place(std::uint64_t column) const { return {stream_.path(), line_number_, column}; }

std::string read_whole_file(const std::string& path, std::uint64_t limit) {
    InputStream stream(path);
    std::string content;
    std::string buffer(kLineBuffer, '\0');
    while (const std::size_t got = stream.read(buffer)) {
        if (got > limit - content.size()) {
            throw InputError({path},
                             "more than the " + std::to_string(limit) + " bytes such a file may have");
        }
        content.append(buffer, 0, got);
    }
    return content;
}

}  // namespace treeline::base
