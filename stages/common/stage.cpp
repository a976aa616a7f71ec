#include "common/stage.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iostream>
#include <memory>
#include <new>
#include <optional>

#include "base/error.hpp"
#include "base/manifest.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "common/console.hpp"
#include "common/last_words.hpp"
#include "common/memory_watch.hpp"
#include "common/option_table.hpp"
#include "common/stop.hpp"

namespace treeline::stage {

namespace {

using base::ExitCode;

/// Before main() begins: binding its options takes memory, too.
[[maybe_unused]] const bool kSpeaks = (speak_before_dying(), true);

constexpr std::size_t kHelpColumn = 36;
constexpr std::size_t kHelpWidth = 110;

std::string indented(const std::string& lines) {
    std::string text = "  ";
    for (const char c : lines) {
        text.append(c == '\n' ? "\n  " : std::string(1, c));
    }
    return text;
}

std::string describe(const Info& info) {
    return fmt::format("{}: {}\n\nExample:\n{}\n\nReads:\n{}\nWrites:\n{}\n", info.name, info.purpose,
                       indented(info.example), indented(info.reads), indented(info.writes));
}

/// Where the word ends that starts after text[begin]: at a space or line end, but not within short brackets, so that a
/// formula such as max(0, 1 - y w.x) stays whole.
std::size_t word_end(const std::string& text, std::size_t begin) {
    constexpr std::size_t kLongest = 40;
    const std::size_t first = std::min(text.find_first_of(" \n", begin + 1), text.size());
    std::size_t depth = 0;
    for (std::size_t i = begin + 1; i < std::min(text.size(), begin + kLongest); ++i) {
        depth += text[i] == '(' ? 1 : 0;
        depth -= text[i] == ')' && depth > 0 ? 1 : 0;
        if (depth == 0 && (text[i] == ' ' || text[i] == '\n')) {
            return i;
        }
    }
    return first;
}

/// `text` in lines of at most `width` bytes where its words allow it; its own line ends stay.
std::string wrapped(const std::string& text, std::size_t width) {
    std::string result;
    std::size_t column = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = word_end(text, begin);
        const bool breaks = text[begin] == ' ' && column + (end - begin) > width;
        if (breaks || text[begin] == '\n') {
            result.append("\n").append(text, begin + 1, end - begin - 1);
            column = end - begin - 1;
        } else {
            result.append(text, begin, end - begin);
            column += end - begin;
        }
        begin = end;
    }
    return result;
}

/// CLI11's help with descriptions that stay in their column.
class HelpFormatter final : public CLI::Formatter {
  public:
    HelpFormatter() { column_width(kHelpColumn); }
    std::string make_option_desc(const CLI::Option* option) const override {
        return wrapped(option->get_description(), kHelpWidth - kHelpColumn);
    }
};

/// Makes std::cout throw where it cannot write, within a scope: data that is lost must not look like success.
class ThrowingStdout {
  public:
    ThrowingStdout() { std::cout.exceptions(std::ios::badbit | std::ios::failbit); }
    ThrowingStdout(const ThrowingStdout&) = delete;
    ThrowingStdout& operator=(const ThrowingStdout&) = delete;
    ~ThrowingStdout() { std::cout.exceptions(std::ios::goodbit); }
};

/// CLI11 says "INI was not able to parse NAME" where a file of options has a name that is none.
std::string describe_unknown_setting(std::string_view said) {
    constexpr std::string_view kBefore = "INI was not able to parse ";
    if (!said.starts_with(kBefore)) {
        return std::string(said);
    }
    const std::string_view name = said.substr(kBefore.size());
    if (const std::size_t dot = name.find('.'); dot != std::string_view::npos && dot > 0) {
        return fmt::format(
            "--config: found the section [{}]; expected lines `name = value` alone: files with sections are for the "
            "recipes; copy the lines that are wanted into a file without sections",
            name.substr(0, dot));
    }
    return fmt::format("--config: {} is not an option that can be set; expected lines `name = value`",
                       base::quoted(name));
}

/// Why data did not get out, after a write to stdout has failed.
int stdout_error() {
    const int error_number = errno;
    pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
    const bool reader_gone = ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
    return reader_gone ? EPIPE : error_number != 0 ? error_number : EIO;
}

}  // namespace

Stage::Stage(Info info, CommonOptions& options, std::initializer_list<Common> listed)
    : info_(std::move(info)), options_(options), app_(describe(info_), info_.name) {
    app_.fallthrough();
    app_.option_defaults()->always_capture_default();
    app_.formatter(std::make_shared<HelpFormatter>());
    app_.set_help_flag("-h,--help", "print this text");
    app_.set_version_flag("--version", fmt::format("{} (Treeline) {}", info_.name, base::program_version()),
                          "print the version");
    app_.add_flag_callback(
            "--options-json",
            [this] {
                std::cout << options_as_json(app_, info_);
                throw CLI::Success();
            },
            "print all options as JSON")
        ->group("");
    bind_common(app_, options_, listed);
}

int Stage::run(int argc, const char* const* argv, const Work& work) {
    // Both become errors of the write that names its file.
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
    clean_up_on_signals();
    try {
        const ThrowingStdout throwing;
        if (parse(argc, argv)) {
            work_and_report(work);
        }
        return static_cast<int>(ExitCode::kDone);
    } catch (const CLI::ConfigError& error) {
        return fail(ExitCode::kUsage, describe_unknown_setting(error.what()));
    } catch (const CLI::ParseError& error) {
        const auto unknown = app_.remaining(true);
        const bool lacks_command = app_.get_require_subcommand_min() > app_.get_subcommands().size();
        return fail(ExitCode::kUsage, unknown.empty() && !lacks_command
                                          ? error.what()
                                          : describe_unknown(app_, unknown.empty() ? "" : unknown.front()));
    } catch (const std::ios_base::failure&) {
        return fail(base::SystemError("write", "stdout", stdout_error()));
    } catch (const base::SystemError& error) {
        return fail(error);
    } catch (const base::Error& error) {
        return fail(error.exit_code(), error.what());
    } catch (const std::bad_alloc&) {
        return fail(ExitCode::kFailed, "out of memory; lower --memory or --threads, or use a larger machine");
    } catch (const std::exception& error) {
        return fail(ExitCode::kFailed, error.what());
    }
}

bool Stage::parse(int argc, const char* const* argv) {
    try {
        app_.parse(argc, argv);
        validate(options_.reading);
        return true;
    } catch (const CLI::Success& asked) {
        app_.exit(asked, std::cout, std::cerr);
        std::cout.flush();
        return false;
    }
}

void Stage::work_and_report(const Work& work) {
    const auto started = std::chrono::steady_clock::now();
    Console console(info_.name, options_.log_level, std::cerr, ::isatty(STDERR_FILENO) != 0,
                    Console::Clock::now, options_.log_format);
    Summary summary;
    std::optional<MemoryWatch> memory;
    if (app_.get_option_no_throw("--memory") != nullptr) {
        memory.emplace(options_.memory);
    }
    base::run_with_threads(options_.threads, [&] { summary = work(console); });
    std::cout.flush();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    console.end(summary, seconds.count(), base::peak_memory());
}

int Stage::fail(const base::SystemError& error) const {
    const bool reader_gone = error.error_number() == EPIPE;
    return reader_gone ? static_cast<int>(ExitCode::kFailed) : fail(error.exit_code(), error.what());
}

std::string Stage::command_name() const {
    const auto given = app_.get_subcommands();
    return given.empty() ? info_.name : info_.name + " " + given.front()->get_name();
}

int Stage::fail(ExitCode code, std::string message) const {
    std::replace(message.begin(), message.end(), '\n', ' ');
    if (options_.log_format == LogFormat::kJson) {
        std::cerr << error_as_json(info_.name, static_cast<int>(code), message) << std::flush;
        return static_cast<int>(code);
    }
    const std::string hint =
        code == ExitCode::kUsage
            ? fmt::format("{} see {} --help", message.ends_with('?') ? "" : ";", command_name())
            : "";
    std::cerr << fmt::format("{}: {}{}\n", info_.name, message, hint) << std::flush;
    return static_cast<int>(code);
}

}  // namespace treeline::stage
