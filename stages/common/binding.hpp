#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "common/options.hpp"

/// From the command line to options. CLI11 takes long to compile: only this header and stage.hpp bring it in,
/// so that mains pay for it and the work behind them does not.
namespace treeline::stage {

/// Those of them that do not apply everywhere.
enum class Common { kThreads, kMemory, kSeed, kForce, kOnError };

/// Adds `--log-level` and the listed ones to `app`. `options` must outlive it.
void bind_common(CLI::App& app, CommonOptions& options, std::initializer_list<Common> listed);

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
    return app.add_option_function<std::string>(name, assign, description)
        ->type_name(words)
        ->default_str(default_word);
}

}  // namespace treeline::stage
