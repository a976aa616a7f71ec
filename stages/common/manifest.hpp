#pragma once

#include <concepts>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "base/manifest.hpp"
#include "base/progress.hpp"

namespace treeline::stage {

using Values = std::map<std::string, base::Manifest::Value>;

/// Any number as a manifest keeps it.
template <typename T>
requires std::integral<T> || std::floating_point<T>
[[nodiscard]] base::Manifest::Value value_of(T number) {
    if constexpr (std::same_as<T, bool>) {
        return number;
    } else if constexpr (std::integral<T>) {
        return static_cast<std::int64_t>(number);
    } else {
        return static_cast<double>(number);
    }
}

/// Whether an input can be read only once, and not before the work itself: stdin (`-`), pipes and devices.
[[nodiscard]] bool is_stream(const std::string& input);

/// The manifest of work about to begin: version, `options` in effect, digests of `inputs`. A folder is taken
/// by the manifest in it; what is_stream() has no digest.
[[nodiscard]] base::Manifest plan_manifest(std::string stage, Values options,
                                           const std::vector<std::string>& inputs);

/// Whether `output` has still to be made. False, with a note, if it is there and was made as `planned`: equal
/// work gives equal bytes, so not even `force` repeats it. Throws UsageError if something else is there and
/// `force` is false. Either way what killed runs have left beside it is removed.
[[nodiscard]] bool needs_work(const std::string& output, const base::Manifest& planned, bool force,
                              base::ProgressObserver& progress);

/// Completes `planned` with `counts` and the finished file `output`, and writes it beside that. Does nothing
/// for stdout and devices.
void record_output(const std::string& output, base::Manifest planned, Values counts);

}  // namespace treeline::stage
