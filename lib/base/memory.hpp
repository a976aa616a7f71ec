#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace treeline::base {

/// Largest resident set of this process so far, in bytes.
[[nodiscard]] std::uint64_t peak_memory();
/// Memory of the machine (or of the control group, if that is less), in bytes; as it was at the first call. Thread-safe.
[[nodiscard]] std::uint64_t machine_memory();

/// "4G", "512M", "100k", "1.5GiB", "65536" (powers of 1024), "50%" (of machine_memory()).
/// Throws UsageError.
[[nodiscard]] std::uint64_t parse_size(std::string_view text);
/// "1.50 GB", "512 MB", "17 kB"; short, for people.
[[nodiscard]] std::string format_size(std::uint64_t bytes);

}  // namespace treeline::base
