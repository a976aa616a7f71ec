#include "common/option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/manifest.hpp"
#include "common/binding.hpp"

namespace treeline::stage {

namespace {

using Json = nlohmann::ordered_json;

const auto kAnyCommand = [](const CLI::App*) { return true; };

bool is_hidden(const CLI::Option& option) { return option.get_group().empty(); }

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

std::string kind_of(const CLI::Option& option, const std::string& type) {
    if (is_flag(option)) {
        return "flag";
    }
    // CLI11 tells a validator by name only through a member that is not const and throws where there is none.
    auto& changeable = const_cast<CLI::Option&>(option);
    for (const char* kind : {kCountKind, kNumberKind, kSizeKind, kChoiceKind}) {
        try {
            (void)changeable.get_validator(kind);
            return kind;
        } catch (const CLI::OptionNotFound&) {
            continue;
        }
    }
    return type == "FILE" || type == "FOLDER" || type == "PATH" ? "path" : "text";
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t end = text.find(separator); end != text.npos; end = text.find(separator, begin)) {
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

Json describe(const CLI::Option& option) {
    Json row;
    const auto& off = option.get_fnames();
    const auto is_off = [&](const std::string& name) { return std::ranges::find(off, name) != off.end(); };
    for (const auto& name : option.get_lnames()) {
        row[is_off(name) && option.get_lnames().size() > 1 ? "off" : "name"] = "--" + name;
    }
    for (const auto& name : option.get_snames()) {
        row["short"] = "-" + name;
    }
    if (!option.nonpositional()) {
        row["name"] = option.get_name(true);
    }
    const std::string type = is_flag(option) ? "" : option.get_type_name();
    row["kind"] = kind_of(option, type);
    if (!type.empty()) {
        row["type"] = type;
    }
    if (row["kind"] == kChoiceKind) {
        row["choices"] = split(type, '|');
    }
    if (!option.get_default_str().empty() && option.get_default_str() != "[]") {
        row["default"] = option.get_default_str();
    }
    if (option.get_required()) {
        row["required"] = true;
    }
    if (option.get_items_expected_max() > 1) {
        row["repeated"] = true;
    }
    row["group"] = option.get_group();
    row["description"] = option.get_description();
    return row;
}

Json options_of(const CLI::App& app) {
    Json rows = Json::array();
    for (const CLI::Option* option : app.get_options()) {
        if (!is_hidden(*option)) {
            rows.push_back(describe(*option));
        }
    }
    return rows;
}

/// Names that may stand where an unknown option stood: those of `app` and of the commands given.
std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    const auto add = [&](const CLI::App& from) {
        for (const CLI::Option* option : from.get_options()) {
            for (const auto& name : option->get_lnames()) {
                if (!is_hidden(*option)) {
                    names.push_back("--" + name);
                }
            }
        }
    };
    add(app);
    for (const CLI::App* command : app.get_subcommands()) {
        add(*command);
    }
    return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands(kAnyCommand)) {
        names.push_back(command->get_name());
    }
    return names;
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> two_before(b.size() + 1);
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        two_before.swap(before);
        before.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] =
                std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], two_before[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

}  // namespace

std::string options_as_json(const CLI::App& app, const Info& info) {
    Json table{{"name", info.name},       {"version", base::program_version()},
               {"purpose", info.purpose}, {"example", info.example},
               {"reads", info.reads},     {"writes", info.writes}};
    table["options"] = options_of(app);
    table["commands"] = Json::array();
    for (const CLI::App* command : app.get_subcommands(kAnyCommand)) {
        table["commands"].push_back({{"name", command->get_name()},
                                     {"purpose", command->get_description()},
                                     {"notes", command->get_footer()},
                                     {"options", options_of(*command)}});
    }
    return table.dump(2) + "\n";
}

std::optional<std::string> closest(std::string_view word, const std::vector<std::string>& candidates) {
    std::optional<std::string> best;
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    std::size_t longer = 0;
    for (const auto& candidate : candidates) {
        longer += candidate.starts_with(word) ? 1 : 0;
        const std::size_t away = distance(word, candidate);
        if (away < least) {
            least = away;
            best = candidate;
        }
    }
    if (longer == 1) {
        return *std::ranges::find_if(candidates, [&](const auto& one) { return one.starts_with(word); });
    }
    return best;
}

std::string describe_unknown(const CLI::App& app, const std::string& word) {
    const bool is_option = word.size() > 1 && word.starts_with('-');
    const bool is_command = !is_option && app.get_subcommands().empty() && !command_names(app).empty();
    const std::string text = word.substr(0, is_option ? word.find('=') : word.npos);
    const auto meant = is_option    ? closest(text, option_names(app))
                       : is_command ? closest(text, command_names(app))
                                    : std::nullopt;
    const std::string hint = meant ? fmt::format("; did you mean '{}'?", *meant) : "";
    if (word.empty() && is_command) {
        return fmt::format("expected a command: {}", fmt::join(command_names(app), ", "));
    }
    if (is_option) {
        return fmt::format("unknown option '{}'{}", text, hint);
    }
    if (is_command) {
        return fmt::format("unknown command '{}'{}", text, hint);
    }
    const auto names = option_names(app);
    const bool has_input = std::ranges::find(names, "--input") != names.end();
    return fmt::format("'{}' belongs to no option{}", text,
                       has_input ? fmt::format("; did you mean '--input {}'?", text) : "");
}

}  // namespace treeline::stage
