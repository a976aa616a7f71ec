#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/digest.hpp"
#include "base/input.hpp"
#include "base/output.hpp"

/// Text files whose last line, the seal, is the digest of all bytes before it: `# digest HEX`. It stands where the
/// readers of other programs have stopped or skip comments.
namespace treeline::base {

/// An AtomicFile of text that gets a seal. Every write must end with whole lines before commit().
class SealedFile {
  public:
    explicit SealedFile(std::string path);

    void write(std::string_view text);
    void commit();

  private:
    AtomicFile file_;
    Digest digest_;
};

/// Lines of a file that may have a seal. A last line without its end is an error: the file has been cut.
class SealedLines {
  public:
    /// Who may have written the file. It decides what a message advises: people change files of theirs.
    enum class By : std::uint8_t { kProgram, kAnyone };

    explicit SealedLines(std::string path, By by = By::kProgram);

    /// The next line, valid until the next call; false at the seal or the end. Throws InputError where the seal is
    /// not that of the lines before it, or lines follow it.
    bool next(std::string_view& line);
    /// To be called after the last line of a file that is known to have a seal: throws InputError without one.
    void require_seal() const;
    [[nodiscard]] std::uint64_t line_number() const { return lines_.line_number(); }
    [[nodiscard]] const std::string& path() const { return lines_.path(); }
    [[nodiscard]] Place place(std::uint64_t column = 0) const { return lines_.place(column); }

  private:
    void check(std::string_view seal);

    LineReader lines_;
    Digest digest_;
    By by_;
    bool whole_;  ///< the last line has its end
    bool sealed_ = false;
};

}  // namespace treeline::base
