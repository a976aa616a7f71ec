#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace treeline::base {

/// Exit codes of every stage.
enum class ExitCode : int { kDone = 0, kFailed = 1, kUsage = 2, kBadInput = 3 };

/// Root of everything Treeline throws. The message says what was attempted, what went wrong and,
/// where there is one, the remedy; it is meant to be printed after the stage's name.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
    [[nodiscard]] virtual ExitCode exit_code() const { return ExitCode::kFailed; }
};

/// Options that contradict each other or lie outside their range.
class UsageError : public Error {
  public:
    using Error::Error;
    [[nodiscard]] ExitCode exit_code() const override { return ExitCode::kUsage; }
};

/// A place in an input: `line` and `column` are counted from 1, 0 means "not known".
/// Columns count bytes.
struct Place {
    std::string path;
    std::uint64_t line = 0;
    std::uint64_t column = 0;
};

/// `path:line:column`, leaving out what is not known; the path `-` reads "stdin".
[[nodiscard]] std::string to_string(const Place& place);

/// Input that cannot be read as what it should be. `what()` starts with the place.
class InputError : public Error {
  public:
    InputError(Place place, std::string_view problem);
    [[nodiscard]] ExitCode exit_code() const override { return ExitCode::kBadInput; }
    [[nodiscard]] const Place& place() const { return place_; }
    /// The message without the place.
    [[nodiscard]] const std::string& problem() const { return problem_; }

  private:
    Place place_;
    std::string problem_;
};

/// A failed system call: "cannot ACTION 'path': reason", with a remedy for the reasons that have
/// one (no space, no permission, no such file).
class SystemError : public Error {
  public:
    SystemError(std::string_view action, std::string_view path, int error_number);
    [[nodiscard]] int error_number() const { return error_number_; }

  private:
    int error_number_;
};

}  // namespace treeline::base
