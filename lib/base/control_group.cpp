#include "base/control_group.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "base/text.hpp"

namespace treeline::base {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

/// The limit written in a file of a control group ("max" reads as none).
std::uint64_t read_limit(const fs::path& file) {
    std::ifstream in(file);
    std::string text;
    in >> text;
    return parse_unsigned(text).value_or(kNone);
}

/// The smallest limit in the files `name` of a group below `mount`, and of those above it.
std::uint64_t limit_upwards(const fs::path& mount, std::string_view group, const char* name) {
    std::uint64_t limit = read_limit(mount / name);
    fs::path place = mount;
    for (const fs::path& part : fs::path(group).relative_path()) {
        place /= part;
        limit = std::min(limit, read_limit(place / name));
    }
    return limit;
}

/// Whether `name` is among names separated by commas.
bool is_listed(std::string_view names, std::string_view name) {
    while (!names.empty()) {
        const std::size_t comma = std::min(names.find(','), names.size());
        if (names.substr(0, comma) == name) {
            return true;
        }
        names.remove_prefix(std::min(comma + 1, names.size()));
    }
    return false;
}

}  // namespace

std::uint64_t memory_limit_of_groups(const fs::path& root, std::string_view groups) {
    std::uint64_t limit = std::min(limit_upwards(root / "memory", "", "memory.limit_in_bytes"),
                                   limit_upwards(root, "", "memory.max"));
    // NUMBER:CONTROLLERS:PATH a line; version 2 is number 0 without controllers.
    while (!groups.empty()) {
        const std::size_t end = std::min(groups.find('\n'), groups.size());
        const std::string_view line = groups.substr(0, end);
        groups.remove_prefix(std::min(end + 1, groups.size()));
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
        if (second == std::string_view::npos) {
            continue;
        }
        const std::string_view controllers = line.substr(first + 1, second - first - 1);
        const std::string_view group = line.substr(second + 1);
        if (controllers.empty()) {
            limit = std::min({limit, limit_upwards(root, group, "memory.max"),
                              limit_upwards(root / "unified", group, "memory.max")});
        } else if (is_listed(controllers, "memory")) {
            limit = std::min(limit, limit_upwards(root / "memory", group, "memory.limit_in_bytes"));
        }
    }
    return limit;
}

}  // namespace treeline::base
