#include "base/input.hpp"

#include <cstring>

#include "base/decoder.hpp"

namespace treeline::base {

namespace {

#ifdef TREELINE_SMALL_BUFFERS
constexpr std::size_t kLineBuffer = 64;
#else
constexpr std::size_t kLineBuffer = std::size_t{1} << 18;
#endif

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
