#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/names.hpp"
#include "common/options.hpp"

/// From the command line to options. CLI11 takes long to compile: only this header and stage.hpp bring it in,
/// so that mains pay for it and the work that they call does not.
namespace treeline::stage {

/// Those of them that do not apply everywhere.
enum class Common { kThreads, kMemory, kSeed, kForce, kOnError, kReading };

/// Adds `--log-level`, `--log-format` and the listed ones to `app`. `options` must outlive it.
void bind_common(CLI::App& app, CommonOptions& options, std::initializer_list<Common> listed);

/// Throws UsageError for options that do not go together.
void validate(const ReadingOptions& reading);

/// What the value of an option is, for option_table.hpp; kept as the name of a validator of CLI11.
inline constexpr const char* kCountKind = "count";
inline constexpr const char* kNumberKind = "number";
inline constexpr const char* kSizeKind = "size";
inline constexpr const char* kChoiceKind = "choice";

/// Which whole numbers an option takes.
struct CountRange {
    std::uint64_t least = 0;
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

/// Lets `option` take only decimal digits (no sign, so that nothing wraps) within `range`.
void require_count(CLI::Option& option, CountRange range);

/// An option that takes a whole number, or several if `value` is a vector. Every integer option is made by it.
template <typename T>
CLI::Option* add_count(CLI::App& app, const std::string& name, T& value, const std::string& description,
                       CountRange range = {}) {
    CLI::Option* option = app.add_option(name, value, description)->type_name("N");
    if constexpr (std::is_integral_v<T>) {
        range.most = std::min<std::uint64_t>(range.most, std::numeric_limits<T>::max());
    } else {
        range.most = std::min<std::uint64_t>(range.most, std::numeric_limits<typename T::value_type>::max());
    }
    require_count(*option, range);
    return option;
}

/// Lets `option` take only finite decimal numbers.
void require_number(CLI::Option& option);

/// An option that takes a number, or several if `value` is a vector; validate() of the stage checks ranges.
template <typename T>
CLI::Option* add_number(CLI::App& app, const std::string& name, T& value, const std::string& description,
                        const std::string& type = "NUMBER") {
    CLI::Option* option = app.add_option(name, value, description)->type_name(type);
    require_number(*option);
    return option;
}

/// Tells what kind of value `option` takes, where its own function reads it.
void mark_kind(CLI::Option& option, const char* kind);

/// An option that takes bytes as base::parse_size reads them. `default_text` is what the help shows.
CLI::Option* add_size(CLI::App& app, const std::string& name, std::uint64_t& bytes,
                      const std::string& description, const std::string& default_text);

/// An option that takes one of a few words, each with the value it stands for; the help lists the words
/// (an empty one, for an option that may be given without, is not listed).
template <typename T>
CLI::Option* add_choice(CLI::App& app, const std::string& name, T& value,
                        std::vector<std::pair<std::string, T>> choices, const std::string& description) {
    std::string words;
    std::string default_word;
    for (const auto& [word, meaning] : choices) {
        words.append(words.empty() || word.empty() ? "" : "|").append(word);
        if (meaning == value) {
            default_word = word;
        }
    }
    const auto assign = [&value, choices = std::move(choices), name, words](const std::string& text) {
        const auto found = std::find_if(choices.begin(), choices.end(),
                                        [&](const auto& choice) { return choice.first == text; });
        if (found == choices.end()) {
            throw base::UsageError(name + ": '" + text + "' is none of " + words);
        }
        value = found->second;
    };
    CLI::Option* option = app.add_option_function<std::string>(name, assign, description);
    mark_kind(*option, kChoiceKind);
    return option->type_name(words)->default_str(default_word);
}

/// The words of a table of names as choices.
template <typename T, std::size_t N>
[[nodiscard]] std::vector<std::pair<std::string, T>> choices_of(const base::NameTable<T, N>& table) {
    std::vector<std::pair<std::string, T>> choices;
    for (const auto& [value, name] : table) {
        choices.emplace_back(name, value);
    }
    return choices;
}

/// Of those only the words for `values`, in their order.
template <typename T, std::size_t N>
[[nodiscard]] std::vector<std::pair<std::string, T>> choices_of(const base::NameTable<T, N>& table,
                                                                std::initializer_list<T> values) {
    std::vector<std::pair<std::string, T>> choices;
    for (const T value : values) {
        choices.emplace_back(base::name_of(table, value), value);
    }
    return choices;
}

}  // namespace treeline::stage
