#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/bad_records.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "example/example_format.hpp"

namespace treeline::stage {

enum class LogLevel { kQuiet, kInfo, kDebug };
inline constexpr base::NameTable<LogLevel, 3> kLogLevelNames{
    {{LogLevel::kQuiet, "quiet"}, {LogLevel::kInfo, "info"}, {LogLevel::kDebug, "debug"}}};
using base::OnError;

enum class LogFormat { kText, kJson };
inline constexpr base::NameTable<LogFormat, 2> kLogFormatNames{
    {{LogFormat::kText, "text"}, {LogFormat::kJson, "json"}}};

/// How files of examples are read.
struct ReadingOptions {
    example::ExampleFormat from = example::ExampleFormat::kAuto;
    example::TableColumns columns{.remedy = "name them with --label-column and --tree-column"};
};

/// What `--help` says before the options.
struct Info {
    std::string name;     ///< of the executable
    std::string purpose;  ///< a sentence or two
    std::string example;  ///< a command that works on real files; several lines are several commands
    std::string reads;
    std::string writes;
};

/// Options that every stage spells the same way; a stage keeps one in its own options.
struct CommonOptions {
    std::size_t threads = 0;                            ///< 0 = all that the machine offers
    std::uint64_t memory = base::machine_memory() / 2;  ///< bytes to keep to
    std::uint64_t seed = 1;
    LogLevel log_level = LogLevel::kInfo;
    LogFormat log_format = LogFormat::kText;
    bool force = false;                 ///< make outputs anew, whatever of ours is there
    bool refresh = false;               ///< replace outputs of ours that are of other work
    OnError on_error = OnError::kFail;  ///< at records that cannot be read
    ReadingOptions reading{};
};

/// What a stage did; its last line on stderr.
struct Summary {
    std::uint64_t in = 0;  ///< records read, good or bad
    std::uint64_t out = 0;
    std::uint64_t skipped = 0;  ///< of those read, the bad ones
    bool answers = false;       ///< a look-up: what it prints says all, the last line is for debugging only
};

}  // namespace treeline::stage
