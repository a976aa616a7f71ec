#include "base/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/text.hpp"

namespace treeline::base {

namespace {

namespace fs = std::filesystem;

/// The limit written in a control group file ("max" reads as none).
std::uint64_t read_limit(const fs::path& file) {
    std::ifstream in(file);
    std::string text;
    in >> text;
    return parse_unsigned(text).value_or(UINT64_MAX);
}

/// Smallest memory limit of this process's control group and those above it (version 2, then 1).
std::uint64_t control_group_limit() {
    const fs::path root = "/sys/fs/cgroup";
    std::uint64_t limit = read_limit(root / "memory/memory.limit_in_bytes");
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        if (line.starts_with("0::/")) {
            for (fs::path group = line.substr(4); !group.empty(); group = group.parent_path()) {
                limit = std::min(limit, read_limit(root / group / "memory.max"));
            }
        }
    }
    return std::min(limit, read_limit(root / "memory.max"));
}

/// Bytes that the unit letter stands for: powers of 1024; 0 for a letter that is none.
std::uint64_t unit_factor(char letter) {
    constexpr std::string_view kLetters = "bkmgt";
    const auto power = kLetters.find(static_cast<char>(letter | 0x20));
    return power == std::string_view::npos ? 0 : std::uint64_t{1} << (10 * power);
}

[[noreturn]] void bad_size(std::string_view text) {
    throw UsageError("not a size: " + quoted(text) +
                     "; expected a number with k, M, G or T, or a percentage");
}

}  // namespace

std::uint64_t peak_memory() {
    // getrusage() alone would report the peak of the program this process was started from.
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word == "VmHWM:") {
            std::uint64_t kilobytes = 0;
            status >> kilobytes;
            return kilobytes << 10;
        }
    }
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) << 10;
}

std::uint64_t machine_memory() {
    const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return std::min(pages * page, control_group_limit());
}

std::uint64_t parse_size(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto number = parse_double(text.substr(0, digits));
    std::string_view unit = text.substr(digits);
    if (!number) {
        bad_size(text);
    }
    double factor = 1;
    if (unit == "%") {
        factor = static_cast<double>(machine_memory()) / 100;
    } else if (!unit.empty()) {
        const std::string_view rest = unit.substr(1);
        const bool bytes = unit == "b" || unit == "B";
        factor = static_cast<double>(unit_factor(unit.front()));
        if (factor == 0 || !(rest.empty() || (!bytes && (rest == "B" || rest == "b" || rest == "iB")))) {
            bad_size(text);
        }
    }
    const double bytes = *number * factor;
    if (bytes >= 0x1p63) {
        bad_size(text);
    }
    return static_cast<std::uint64_t>(bytes);
}

std::string format_size(std::uint64_t bytes) {
    constexpr std::array kUnits = {"B", "kB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1023.5 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    const int decimals = unit >= 3 ? 2 : 0;
    return fmt::format("{:.{}f} {}", value, decimals, kUnits[unit]);
}

}  // namespace treeline::base
