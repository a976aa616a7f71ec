#include "base/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include "base/control_group.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace treeline::base {

namespace {

/// The limit of the control groups of this process.
std::uint64_t control_group_limit() {
    std::ifstream groups("/proc/self/cgroup");
    const std::string text{std::istreambuf_iterator<char>(groups), {}};
    return memory_limit_of_groups("/sys/fs/cgroup", text);
}

/// Bytes that a unit stands for: "", "B", or one of k, M, G, T (either case) alone or with "B" or "iB".
/// 0 for anything else.
std::uint64_t unit_bytes(std::string_view unit) {
    if (unit.empty() || unit == "B") {
        return 1;
    }
    const auto power = std::string_view("kmgt").find(static_cast<char>(unit.front() | 0x20));
    const std::string_view rest = unit.substr(1);
    const bool known = power != std::string_view::npos && (rest.empty() || rest == "B" || rest == "iB");
    return known ? std::uint64_t{1024} << (10 * power) : 0;
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
    // Inner loops ask for it, and the system answers with a dozen files.
    static const std::uint64_t kMemory = [] {
        const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
        const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
        return std::min(pages * page, control_group_limit());
    }();
    return kMemory;
}

std::uint64_t parse_size(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto number = parse_double(text.substr(0, digits));
    const std::string_view unit = text.substr(digits);
    const double factor =
        unit == "%" ? static_cast<double>(machine_memory()) / 100 : static_cast<double>(unit_bytes(unit));
    if (!number || factor == 0 || *number * factor >= 0x1p63) {
        throw UsageError("not a size: " + quoted(text) +
                         "; expected a number with k, M, G or T, or a percentage");
    }
    return static_cast<std::uint64_t>(*number * factor);
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
