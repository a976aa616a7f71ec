#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input.hpp"

namespace treeline::example {

/// One line of SVM-light or LIBSVM text: a label and the indices of the features whose value is 1.
struct BinaryExample {
    std::string label;                    ///< any word
    std::vector<std::uint64_t> features;  ///< strictly ascending; may be empty
};

/// What is wrong with a line, and where; columns count bytes from 1.
struct LineProblem {
    std::size_t column = 0;
    std::string text;
};

/// Reads `LABEL INDEX:VALUE INDEX:VALUE ... [# comment]` into `example`. Features of value 0 are left out.
/// With `binarize` every other value counts as 1, without it such a value is a problem. An empty
/// `example.label` means that the line holds nothing but blanks or a comment.
[[nodiscard]] std::optional<LineProblem> parse_binary_line(std::string_view line, bool binarize,
                                                           BinaryExample& example);

struct BinaryReadOptions {
    bool binarize = false;  ///< take every value but 0 as 1
    bool skip_bad = false;  ///< count bad lines instead of throwing
};

/// Where examples come from, in order.
class BinaryExampleSource {
  public:
    virtual ~BinaryExampleSource() = default;

    /// False at the end. Throws InputError at a bad example unless those are skipped.
    virtual bool next(BinaryExample& example) = 0;
    /// Bad examples passed over so far.
    [[nodiscard]] virtual std::uint64_t skipped() const = 0;
    /// Digest of the dictionary that gives the features their numbers; empty where none is known.
    [[nodiscard]] virtual std::string dictionary() const { return {}; }
};

/// Examples of a plain, gzip or zstd file, or of standard input (`-`), in order.
/// Throws InputError with line and column at the first bad line unless `skip_bad`.
class BinaryExampleReader final : public BinaryExampleSource {
  public:
    explicit BinaryExampleReader(std::string path, BinaryReadOptions options = {});

    bool next(BinaryExample& example) override;
    [[nodiscard]] std::uint64_t skipped() const override { return skipped_; }
    [[nodiscard]] const base::LineReader& lines() const { return lines_; }

  private:
    base::LineReader lines_;
    BinaryReadOptions options_;
    std::uint64_t skipped_ = 0;
};

}  // namespace treeline::example
