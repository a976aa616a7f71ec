#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace treeline::base {

class Decoder;

/// Bytes of a file, plain or packed by gzip, zstd, bzip2 or xz; `-` is standard input. Compression is recognized by
/// the first bytes, not by the name. Concatenated members, frames and streams are read through.
/// A truncated or corrupt stream throws InputError, never a short read.
/// Not thread-safe; movable.
class InputStream {
  public:
    /// Throws SystemError where the file cannot be opened or is a folder.
    explicit InputStream(std::string path);
    InputStream(InputStream&&) noexcept;
    InputStream& operator=(InputStream&&) noexcept;
    ~InputStream();

    /// Fills as much of `buffer` as the stream still has; 0 only at its end.
    std::size_t read(std::span<char> buffer);
    /// What is there without waiting for more, at least a byte; 0 only at the end.
    std::size_t read_some(std::span<char> buffer);
    [[nodiscard]] const std::string& path() const;

  private:
    std::string path_;
    std::unique_ptr<Decoder> decoder_;
};

/// Lines of an InputStream, without their terminator (LF or CR LF); the last line need not have one.
/// A UTF-8 byte order mark at the start is skipped. A line may be of any length. NUL bytes are passed on:
/// the parser decides whether they are valid. A line is there as soon as its end is, also in a pipe.
class LineReader {
  public:
    explicit LineReader(std::string path);

    /// The next line, valid until the next call; false at the end.
    bool next(std::string_view& line);
    /// Whether next() returns without waiting for more input.
    [[nodiscard]] bool has_line() const;
    /// Number of the line last returned, counted from 1.
    [[nodiscard]] std::uint64_t line_number() const { return line_number_; }
    [[nodiscard]] const std::string& path() const { return stream_.path(); }
    /// The place `column` (counted from 1) of the line last returned.
    [[nodiscard]] Place place(std::uint64_t column = 0) const;

  private:
    bool fill();

    InputStream stream_;
    std::string buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool ended_ = false;
    std::uint64_t line_number_ = 0;
};

/// The whole (decompressed) content. `limit` guards against hostile sizes: more than that throws InputError.
[[nodiscard]] std::string read_whole_file(const std::string& path,
                                          std::uint64_t limit = std::uint64_t{1} << 32);

}  // namespace treeline::base
