#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/record_lines.hpp"

namespace treeline::example {

/// One line of SVM-light or LIBSVM text: a label and the indices of the features whose value is 1.
struct BinaryExample {
    std::string label;                    ///< any word
    std::vector<std::uint64_t> features;  ///< strictly ascending; may be empty
};

/// The words of BinaryReadOptions::remedy where nobody has others.
inline constexpr std::string_view kBinarizeRemedy = "that every other value is to be taken as 1";

/// Reads `LABEL INDEX:VALUE INDEX:VALUE ... [# comment]` into `example`: a LIBSVM line, whose indices may be any
/// number of 64 bits here. Features of value 0 are left out. With `binarize` every other value counts as 1,
/// without it such a value is an error, whose message ends with `remedy`. Throws base::SyntaxError.
void parse_binary_line(std::string_view line, bool binarize, BinaryExample& example,
                       std::string_view remedy = kBinarizeRemedy);

struct BinaryReadOptions {
    bool binarize = false;  ///< take every value but 0 as 1
    base::OnError on_error = base::OnError::kFail;
    /// How whoever reads the messages takes other values as 1, such as the option of a program.
    std::string_view remedy = kBinarizeRemedy;
};

/// Where examples come from, in order.
class BinaryExampleSource {
  public:
    virtual ~BinaryExampleSource() = default;

    /// False at the end. Throws InputError at a bad example unless those are skipped.
    virtual bool next(BinaryExample& example) = 0;
    /// Those passed over so far.
    [[nodiscard]] virtual const base::BadRecords& bad_records() const = 0;
    /// Digest of the dictionary that gives the features their numbers; empty where none is known.
    [[nodiscard]] virtual std::string dictionary() const { return {}; }
};

/// Examples of a plain, gzip or zstd file, or of standard input (`-`), in order.
/// Throws InputError with line and column at the first bad line unless those are skipped.
class BinaryExampleReader final : public BinaryExampleSource {
  public:
    explicit BinaryExampleReader(std::string path, BinaryReadOptions options = {});

    bool next(BinaryExample& example) override;
    [[nodiscard]] const base::BadRecords& bad_records() const override { return lines_.bad_records(); }

  private:
    base::RecordLines lines_;
    BinaryReadOptions options_;
};

}  // namespace treeline::example
