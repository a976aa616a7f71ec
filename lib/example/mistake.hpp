#pragma once

#include <string>
#include <string_view>

#include "example/example_format.hpp"

/// What lines that cannot be read may be instead, and what to do about it. For messages alone: nothing is read by these guesses.
namespace treeline::example {

/// What a line that cannot be read in `format` looks like: bytes that are no text (UTF-16, a tar archive), another
/// format by its name; in kSvmLightTk, as which also what no format fits is read, tables with other columns (`remedy`
/// says how to name them), headers, models, other ways to write trees, text that nobody has parsed. Empty where it
/// looks like nothing in particular.
[[nodiscard]] std::string guess_mistake(std::string_view line, ExampleFormat format, std::string_view remedy);

/// True for `tree<TAB>label`, the columns of LABEL<TAB>tree the other way round.
[[nodiscard]] bool has_label_last(std::string_view line);

/// What to say of the first line where has_label_last().
[[nodiscard]] std::string describe_label_last(std::string_view remedy);

}  // namespace treeline::example
