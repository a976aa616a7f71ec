#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bad_records.hpp"
#include "base/memory.hpp"

namespace treeline::stage {

enum class LogLevel { kQuiet, kInfo, kDebug };
using base::OnError;

/// Options that every stage spells the same way; a stage keeps one in its own options.
struct CommonOptions {
    std::size_t threads = 0;                            ///< 0 = all that the machine offers
    std::uint64_t memory = base::machine_memory() / 2;  ///< bytes to keep to
    std::uint64_t seed = 1;
    LogLevel log_level = LogLevel::kInfo;
    bool force = false;                 ///< make outputs anew, whatever of ours is there
    bool refresh = false;               ///< replace outputs of ours that are of other work
    OnError on_error = OnError::kFail;  ///< at records that cannot be read
};

/// What a stage did; its last line on stderr.
struct Summary {
    std::uint64_t in = 0;  ///< records read, good or bad
    std::uint64_t out = 0;
    std::uint64_t skipped = 0;  ///< of those read, the bad ones
};

}  // namespace treeline::stage
