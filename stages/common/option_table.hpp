#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/options.hpp"

namespace CLI {
class App;
}

/// What a program can be asked, as data: for recipes, completion, tests, and for hints at misspelt words.
namespace treeline::stage {

/// What a program says of itself, its options and those of its commands, as a JSON object:
///
///     {"name": "fdi", "version": ..., "purpose": ..., "example": ..., "reads": ..., "writes": ..., "options": [OPTION...],
///      "commands": [{"name": "top", "purpose": ..., "notes": ..., "options": [...]}...]}
///
/// An OPTION has `name` (`--cost`, or the bare name of an argument without one), `short` (`-c`), `off` (`--no-bias`),
/// `kind` (flag, count, number, size, choice, path, text), `type` as the help shows it, `choices`, `default`,
/// `required`, `repeated` (it takes several values), `group` and `description`; what does not apply is left out.
[[nodiscard]] std::string options_as_json(const CLI::App& app, const Info& info);

/// The candidate that a person who typed `word` most likely meant, if one is near enough: fewest insertions,
/// deletions, replacements and swaps of neighbours, at most one for three characters; or the only one that starts so.
[[nodiscard]] std::optional<std::string> closest(std::string_view word,
                                                 const std::vector<std::string>& candidates);

/// Why `word` of the command line is not understood, after `app` has failed to parse it: an unknown option, an
/// unknown command, or an argument too many, with what may have been meant; a command that is missing if `word` is empty.
[[nodiscard]] std::string describe_unknown(const CLI::App& app, const std::string& word);

}  // namespace treeline::stage
