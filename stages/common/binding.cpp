#include "common/binding.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace treeline::stage {

namespace {

constexpr std::size_t kMostThreads = 4096;

void bind_reading(CLI::App& app, ReadingOptions& reading) {
    add_choice(app, "--from", reading.from, choices_of(example::kExampleFormatNames),
               "format of the examples; auto tells it by the first one (tdp convert --help has a list)");
    add_count(app, "--label-column", reading.columns.label,
              "of a table with tabs: the column of the label, from 1; 0 = there are no labels; goes with "
              "--tree-column");
    add_count(app, "--tree-column", reading.columns.tree,
              "of a table with tabs: the column of the tree, from 1; 0 = the table is LABEL<TAB>tree");
}

void bind_one(CLI::App& app, CommonOptions& options, Common which) {
    switch (which) {
        case Common::kThreads:
            add_count(app, "--threads", options.threads, "threads to use; 0 = all of the machine",
                      {.most = kMostThreads});
            break;
        case Common::kMemory:
            add_size(app, "--memory", options.memory, "memory to keep to, such as 4G or 50%", "50%");
            break;
        case Common::kSeed: add_count(app, "--seed", options.seed, "seed of everything random"); break;
        case Common::kForce:
            app.add_flag("--force", options.force,
                         "make outputs anew and replace what Treeline has written there");
            app.add_flag(
                "--refresh", options.refresh,
                "also replace what was made from other inputs or with other options; what is up to date stays");
            break;
        case Common::kOnError:
            add_choice(app, "--on-error", options.on_error, choices_of(base::kOnErrorNames),
                       "what to do with a record that cannot be read");
            break;
        case Common::kReading: bind_reading(app, options.reading); break;
    }
}

std::string describe(CountRange range) {
    return range.most >= std::numeric_limits<std::uint32_t>::max()
               ? fmt::format("a whole number of at least {}", range.least)
               : fmt::format("a whole number from {} to {}", range.least, range.most);
}

/// What is wrong with `text` as a whole number of `range`, or nothing; then `text` has no leading zeros, which
/// CLI11 would take for octal digits.
std::string check_count(std::string& text, CountRange range) {
    const auto value = base::parse_unsigned(text);
    if (!value || *value < range.least || *value > range.most) {
        return fmt::format("found {}; expected {}", base::quoted(text), describe(range));
    }
    text = std::to_string(*value);
    return {};
}

std::string check_number(std::string& text) {
    return base::parse_double(text) ? "" : fmt::format("found {}; expected a number", base::quoted(text));
}

}  // namespace

void require_count(CLI::Option& option, CountRange range) {
    option.transform(
        CLI::Validator([range](std::string& text) { return check_count(text, range); }, "", kCountKind));
}

void require_number(CLI::Option& option) { option.check(CLI::Validator(check_number, "", kNumberKind)); }

void mark_kind(CLI::Option& option, const char* kind) {
    option.check(CLI::Validator([](std::string&) { return std::string(); }, "", kind));
}

void validate(const ReadingOptions& reading) {
    using enum example::ExampleFormat;
    const auto& columns = reading.columns;
    if (columns.tree == 0 && columns.label != 1) {
        throw base::UsageError("--label-column needs --tree-column");
    }
    if (columns.tree > 0 && columns.tree == columns.label) {
        throw base::UsageError("--label-column and --tree-column name the same column");
    }
    if (columns.tree > 0 && reading.from != kAuto && reading.from != kLabelTabTree) {
        throw base::UsageError("--tree-column is for tables with tabs; leave out --from");
    }
}

void bind_common(CLI::App& app, CommonOptions& options, std::initializer_list<Common> listed) {
    const std::string group = app.option_defaults()->get_group();
    app.option_defaults()->group("Common options");
    for (const Common which : listed) {
        bind_one(app, options, which);
    }
    add_choice(app, "--log-level", options.log_level, choices_of(kLogLevelNames),
               "what to say on stderr; debug has the solvers' figures");
    add_choice(app, "--log-format", options.log_format, choices_of(kLogFormatNames),
               "of what is said on stderr: lines for people, or a JSON object a line");
    app.option_defaults()->group(group);
}

CLI::Option* add_size(CLI::App& app, const std::string& name, std::uint64_t& bytes,
                      const std::string& description, const std::string& default_text) {
    const auto assign = [&bytes, name](const std::string& text) {
        try {
            bytes = base::parse_size(text);
        } catch (const base::UsageError& error) {
            throw base::UsageError(name + ": " + error.what());
        }
    };
    CLI::Option* option = app.add_option_function<std::string>(name, assign, description);
    mark_kind(*option, kSizeKind);
    return option->type_name("SIZE")->default_str(default_text);
}

}  // namespace treeline::stage
