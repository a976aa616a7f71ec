#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/names.hpp"

namespace treeline::example {

/// Formats of examples, one example a line except in kTreebank.
enum class ExampleFormat {
    kAuto,          ///< told by the first line that is neither blank nor a comment
    kTreebank,      ///< trees over several lines, as in Penn Treebank files
    kTrees,         ///< `tree`
    kSvmLightTk,    ///< `LABEL |BT| tree |BT| tree |ET| i:v ... |BV| i:v ... |EV|`, or `LABEL i:v ...`
    kLabelTabTree,  ///< `LABEL<TAB>tree`
    kKelp,          ///< `LABEL |BT:name| tree |ET| |BV:name| feature:value ... |EV|`
    kLibsvm,        ///< `LABEL i:v ...`
};

inline constexpr base::NameTable<ExampleFormat, 7> kExampleFormatNames{{
    {ExampleFormat::kAuto, "auto"},
    {ExampleFormat::kTreebank, "ptb"},
    {ExampleFormat::kTrees, "trees"},
    {ExampleFormat::kSvmLightTk, "svmlight-tk"},
    {ExampleFormat::kLabelTabTree, "label-tab-tree"},
    {ExampleFormat::kKelp, "kelp"},
    {ExampleFormat::kLibsvm, "libsvm"},
}};

/// Whether its examples have labels.
[[nodiscard]] constexpr bool has_labels(ExampleFormat format) {
    return format != ExampleFormat::kTreebank && format != ExampleFormat::kTrees;
}

/// Which columns of a table of kLabelTabTree have what, counted from 1.
struct TableColumns {
    std::size_t label = 1;  ///< 0 = labels are nowhere
    std::size_t tree = 0;   ///< 0 = the second, after that of the cost where there is one, and the last
    /// How whoever reads the messages names columns, such as the option of a program; for lines that have others.
    std::string_view remedy = "keep two columns, for example with cut -f";
};

/// The format that `line` looks like, never kAuto; kTreebank for a tree that does not end on its line, is not
/// alone on it or has the Penn Treebank's outer bracket without a label; kKelp where a part has a name
/// (`|BT:name|`); kSvmLightTk for lines of kLibsvm, which are lines of both.
[[nodiscard]] ExampleFormat guess_format(std::string_view line);

/// Of a line that starts with `#`: whether it looks like an example with a label that starts so, rather than a
/// comment. `#NUM<TAB>(S ...)`, `#1 |BT| ...` and `#1 3:1` do; `# 1 |BT| ...`, with a space, does not.
[[nodiscard]] bool looks_like_example(std::string_view line);

/// True if `text` starts with a bracket without a label around something, `( (S ...`: only the outermost may be
/// so.
[[nodiscard]] bool starts_unlabelled(std::string_view text);

/// Follows the brackets of `text` from `depth` open ones on; the offset after the one that closes the last of
/// them (or is one too many), or text.size().
[[nodiscard]] std::size_t skip_brackets(std::string_view text, std::int64_t& depth);

}  // namespace treeline::example
