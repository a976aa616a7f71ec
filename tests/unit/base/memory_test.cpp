#include "base/memory.hpp"

#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "support/catch.hpp"

using namespace treeline::base;

TEST_CASE("sizes are numbers with units that are powers of 1024") {
    const std::vector<std::pair<const char*, std::uint64_t>> table = {
        {"65536", 65536},    {"0", 0},           {"100k", 102400},       {"100K", 102400},
        {"512M", 536870912}, {"4G", 4294967296}, {"1.5GiB", 1610612736}, {"2T", 2199023255552},
        {"4GB", 4294967296}, {"10B", 10},        {"1kB", 1024},          {".5k", 512},
    };
    for (const auto& [text, bytes] : table) {
        INFO(text);
        CHECK(parse_size(text) == bytes);
    }
    CHECK(parse_size("50%") == Approx(static_cast<double>(machine_memory()) / 2).epsilon(1e-6));
}

TEST_CASE("anything else is not a size") {
    for (const char* text : {"", "G", "x", "-1", "+1", "1 G", "1Q", "1Gx", "1Bi", "1BB", "1.2.3", ".", "1e3",
                             "nan", "99999999999T", "%", "5%%", "1G "}) {
        INFO(text);
        CHECK_THROWS_AS(parse_size(text), UsageError);
    }
}

TEST_CASE("sizes are written short") {
    CHECK(format_size(0) == "0 B");
    CHECK(format_size(1000) == "1000 B");
    CHECK(format_size(17 << 10) == "17 kB");
    CHECK(format_size((1 << 20) - 1) == "1 MB");
    CHECK(format_size(512 << 20) == "512 MB");
    CHECK(format_size(std::uint64_t{3} << 29) == "1.50 GB");
    CHECK(format_size(std::uint64_t{5} << 50) == "5120.00 TB");
}

TEST_CASE("peak memory follows what was used") {
    const std::uint64_t before = peak_memory();
    CHECK(before > 1'000'000);
    const std::vector<char> block(before + 50'000'000, 'x');
    CHECK(block.back() == 'x');
    CHECK(peak_memory() > before + 40'000'000);
    CHECK(machine_memory() > peak_memory());
}
