#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bad_records.hpp"
#include "base/error.hpp"
#include "base/input.hpp"
#include "base/syntax_error.hpp"

namespace treeline::base {

struct RecordOptions {
    OnError on_error = OnError::kFail;
    std::uint64_t limit = 0;  ///< stop after this many records, good or bad; 0 = read all
};

/// The lines of a file of records (plain, gzip, zstd; `-` is standard input): what every reader of records has
/// in common. Blank lines and comments, lines that start with `#`, are passed over; records are numbered and
/// counted whether they are good or bad, and reading stops at the limit; bad ones stop the work or are skipped
/// and counted. A record is a line, or starts with one. Not thread-safe.
class RecordLines {
  public:
    /// Tells of a line that starts with `#` whether it looks like a record all the same. It then is one, so that
    /// its parser can refuse it with a reason: no record disappears without a word.
    using LooksLikeRecord = bool (*)(std::string_view line);

    explicit RecordLines(std::string path, RecordOptions options = {},
                         LooksLikeRecord looks_like_record = nullptr);

    /// The first line of the next record, valid until the next call; false at the end or the limit.
    bool next(std::string_view& line);
    /// The line after the last one, whatever it holds: for records of several lines. False at the end.
    bool next_line(std::string_view& line) { return lines_.next(line); }
    /// Counts a record that starts within the line last returned; false at the limit.
    bool begin_record();
    /// Whether next() returns without waiting for more input, as far as the line ahead tells.
    [[nodiscard]] bool has_line() const { return is_full() || lines_.has_line(); }

    /// The next good record of one line: parse(line) throws SyntaxError, or another error of base, at a bad one.
    /// The text is checked to be UTF-8 first. False at the end or the limit.
    template <typename Parse>
    bool next_good(Parse parse) {
        std::string_view line;
        while (next(line)) {
            try {
                require_utf8(line);
                parse(line);
                return true;
            } catch (const SyntaxError& error) {
                refuse({place(error.offset() + 1), error.what()});
            }
        }
        return false;
    }
    /// Throws the error of the record at hand, or counts it as skipped.
    void refuse(const InputError& error) { bad_.refuse(error); }

    /// Records begun so far, good or bad.
    [[nodiscard]] std::uint64_t records() const { return records_; }
    [[nodiscard]] std::uint64_t skipped() const { return bad_.skipped(); }
    [[nodiscard]] std::uint64_t good() const { return records_ - bad_.skipped(); }
    [[nodiscard]] const BadRecords& bad_records() const { return bad_; }
    [[nodiscard]] const RecordOptions& options() const { return options_; }

    [[nodiscard]] const std::string& path() const { return lines_.path(); }
    /// Of the line last returned, counted from 1.
    [[nodiscard]] std::uint64_t line_number() const { return lines_.line_number(); }
    [[nodiscard]] Place place(std::uint64_t column = 0) const { return lines_.place(column); }

    /// Throws SyntaxError at the first byte of `text` that is not UTF-8.
    static void require_utf8(std::string_view text);

  private:
    [[nodiscard]] bool is_full() const { return options_.limit > 0 && records_ >= options_.limit; }

    LineReader lines_;
    RecordOptions options_;
    LooksLikeRecord looks_like_record_;
    BadRecords bad_;
    std::uint64_t records_ = 0;
};

}  // namespace treeline::base
