#include "base/control_group.hpp"

#include <filesystem>
#include <limits>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;

namespace {

void set_limit(const test::TemporaryFolder& root, const std::string& file, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root / file).parent_path());
    (void)root.file(file, text);
}

}  // namespace

TEST_CASE("The smallest memory limit of nested control groups counts, of version 2") {
    const test::TemporaryFolder root;
    const std::string groups = "0::/a/b\n";
    CHECK(base::memory_limit_of_groups(root.path(), groups) == std::numeric_limits<std::uint64_t>::max());
    set_limit(root, "a/b/memory.max", "max\n");
    set_limit(root, "a/memory.max", "200000000\n");
    CHECK(base::memory_limit_of_groups(root.path(), groups) == 200000000);
    set_limit(root, "a/b/memory.max", "150000000\n");
    CHECK(base::memory_limit_of_groups(root.path(), groups) == 150000000);
    CHECK(base::memory_limit_of_groups(root.path(), "0::/\n") == std::numeric_limits<std::uint64_t>::max());
    set_limit(root, "memory.max", "100000000\n");
    CHECK(base::memory_limit_of_groups(root.path(), "0::/\n") == 100000000);
}

TEST_CASE(
    "The smallest memory limit of nested control groups counts, of version 1 and where both are there") {
    const test::TemporaryFolder root;
    const std::string groups = "12:cpu,cpuacct:/x\n4:pids,memory:/a/b\n0::/c\n";
    set_limit(root, "memory/memory.limit_in_bytes", "9223372036854771712\n");
    set_limit(root, "memory/a/memory.limit_in_bytes", "200000000\n");
    set_limit(root, "memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
    CHECK(base::memory_limit_of_groups(root.path(), groups) == 200000000);
    set_limit(root, "unified/c/memory.max", "120000000\n");
    CHECK(base::memory_limit_of_groups(root.path(), groups) == 120000000);
    CHECK(base::memory_limit_of_groups(root.path(), "nonsense") == 9223372036854771712U);
}
