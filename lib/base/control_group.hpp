#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace treeline::base {

/// The smallest memory limit of the control groups that `groups` names, the text of /proc/self/cgroup, and of all groups above
/// them, version 1 and 2, in bytes; the largest number where there is none. `root` is where they are mounted, /sys/fs/cgroup.
/// A container may see its own group as the root: that one counts, too.
[[nodiscard]] std::uint64_t memory_limit_of_groups(const std::filesystem::path& root,
                                                   std::string_view groups);

}  // namespace treeline::base
