#include "base/output.hpp"

#include <fmt/format.h>

#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/temporaries.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline::base;
using Catch::Matchers::ContainsSubstring;
using treeline::test::slurp;
using treeline::test::status_of_child;
using treeline::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// A file system of 64 kB, where this process may mount one.
class TinyDisk {
  public:
    TinyDisk() : mounted_(::mount("none", folder_.path().c_str(), "tmpfs", 0, "size=64k") == 0) {}
    TinyDisk(const TinyDisk&) = delete;
    TinyDisk& operator=(const TinyDisk&) = delete;
    ~TinyDisk() {
        if (mounted_) {
            ::umount(folder_.path().c_str());
        }
    }
    [[nodiscard]] bool mounted() const { return mounted_; }
    [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }

  private:
    TemporaryFolder folder_;
    bool mounted_;
};

/// The number of a process that has ended.
pid_t gone_process() {
    const pid_t child = ::fork();
    if (child == 0) {
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    return child;
}

}  // namespace

TEST_CASE("a file appears at commit, under its name only") {
    const TemporaryFolder folder;
    AtomicFile file(folder / "x");
    file.write("some ");
    file.write("text");
    CHECK_FALSE(fs::exists(folder / "x"));
    CHECK(fs::path(file.temporary_path()).parent_path() == folder.path());
    file.commit();
    CHECK(slurp(folder / "x") == "some text");
    CHECK(folder.names() == std::vector<std::string>{"x"});
}

TEST_CASE("a file that was not committed leaves nothing, and an older one as it was") {
    const TemporaryFolder folder;
    write_whole_file(folder / "old", "old");
    for (const char* name : {"old", "new"}) {
        try {
            AtomicFile file(folder / name);
            file.write(std::string(1'000'000, 'x'));
            throw std::runtime_error("interrupted");
        } catch (const std::runtime_error&) {
        }
    }
    CHECK(folder.names() == std::vector<std::string>{"old"});
    CHECK(slurp(folder / "old") == "old");
}

TEST_CASE("names ending in .gz and .zst are compressed, with the same bytes every time") {
    const TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 100'000; ++i) {
        text += std::to_string(i);
    }
    for (const char* name : {"x.gz", "x.zst"}) {
        write_whole_file(folder / name, text);
        const std::string bytes = slurp(folder / name);
        CHECK(bytes.size() < text.size() / 2);
        CHECK((read_whole_file(folder / name) == text));
        write_whole_file(folder / name, text);
        CHECK((slurp(folder / name) == bytes));
        write_whole_file(folder / name, "");
        CHECK_FALSE(slurp(folder / name).empty());
        CHECK(read_whole_file(folder / name).empty());
    }
}

TEST_CASE("a library may write the file under its temporary name") {
    const TemporaryFolder folder;
    AtomicFile file(folder / "x.gz");
    fs::remove(file.temporary_path());
    REQUIRE(folder.file(fs::path(file.temporary_path()).filename().string(), "as it is") ==
            file.temporary_path());
    file.commit();
    CHECK(slurp(folder / "x.gz") == "as it is");
}

TEST_CASE("a link stays a link and its target is replaced") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "below");
    write_whole_file(folder / "below/target", "old");
    fs::create_symlink("below/target", folder / "link");
    write_whole_file(folder / "link", "replaced");
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(slurp(folder / "below/target") == "replaced");
}

TEST_CASE("pipes and devices are written in place") {
    const TemporaryFolder folder;
    write_whole_file("/dev/null", "gone");
    CHECK(fs::is_character_file("/dev/null"));
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    const pid_t reader = ::fork();
    if (reader == 0) {
        ::_exit(slurp(folder / "pipe") == "through" ? 0 : 1);
    }
    write_whole_file(folder / "pipe", "through");
    int status = -1;
    ::waitpid(reader, &status, 0);
    CHECK(status == 0);
    CHECK(fs::is_fifo(folder / "pipe"));
}

TEST_CASE("a full device is a system error") {
    try {
        AtomicFile file("/dev/full");
        file.write("x");
        file.commit();
        FAIL("written to a full device");
    } catch (const SystemError& error) {
        CHECK(error.error_number() == ENOSPC);
    }
}

TEST_CASE("a full disk is a clear error and leaves nothing") {
    const TinyDisk disk;
    if (!disk.mounted()) {
        WARN("SKIPPED: no right to mount a small file system here");
        return;
    }
    const TemporaryFolder& folder = disk.folder();
    for (const std::size_t size : {100'000, 10'000'000}) {
        try {
            write_whole_file(folder / "x", std::string(size, 'x'));
            FAIL("written to a full disk");
        } catch (const SystemError& error) {
            CHECK(error.error_number() == ENOSPC);
            CHECK_THAT(error.what(), ContainsSubstring("cannot write '" + (folder / "x") + "'"));
            CHECK_THAT(error.what(), ContainsSubstring("free some space"));
        }
        CHECK(folder.names().empty());
    }
    {
        AtomicFolder output(folder / "out");
        CHECK_THROWS_AS(write_whole_file(output.temporary_path() + "/x", std::string(100'000, 'x')),
                        SystemError);
    }
    CHECK(folder.names().empty());
}

TEST_CASE("a file cannot be made where there is no folder, or where a folder is") {
    const TemporaryFolder folder;
    CHECK_THROWS_AS(AtomicFile(folder / "missing/x"), SystemError);
    CHECK_THROWS_AS(AtomicFile(folder.path()), SystemError);
    CHECK_THROWS_WITH(AtomicFile(folder / "missing/x"),
                      ContainsSubstring("'" + (folder / "missing/x") + "'"));
}

TEST_CASE("a folder appears at commit with all it holds") {
    const TemporaryFolder folder;
    AtomicFolder output(folder / "above/out/");
    write_whole_file(output.temporary_path() + "/x", "text");
    fs::create_directory(output.temporary_path() + "/below");
    write_whole_file(output.temporary_path() + "/below/y", "more");
    CHECK_FALSE(fs::exists(folder / "above/out"));
    output.commit();
    CHECK(slurp(folder / "above/out/x") == "text");
    CHECK(slurp(folder / "above/out/below/y") == "more");
    CHECK(std::distance(fs::directory_iterator(folder / "above"), {}) == 1);
}

TEST_CASE("a committed folder replaces the one of its name") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "out");
    write_whole_file(folder / "out/old", "old");
    AtomicFolder output(folder / "out");
    write_whole_file(output.temporary_path() + "/fresh", "fresh");
    CHECK(fs::exists(folder / "out/old"));
    output.commit();
    CHECK_FALSE(fs::exists(folder / "out/old"));
    CHECK(slurp(folder / "out/fresh") == "fresh");
    CHECK(folder.names() == std::vector<std::string>{"out"});
}

TEST_CASE("a folder gets its name only while nobody removes what is temporary") {
    const TemporaryFolder folder;
    AtomicFolder output(folder / "x");
    write_whole_file(output.temporary_path() + "/a", "first");
    auto removing = keep_temporaries();
    std::thread committing([&] { output.commit(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK_FALSE(fs::exists(folder / "x"));
    removing.unlock();
    committing.join();
    CHECK(slurp(folder / "x/a") == "first");
}

TEST_CASE("a folder that was not committed leaves nothing") {
    const TemporaryFolder folder;
    {
        const AtomicFolder output(folder / "out");
        write_whole_file(output.temporary_path() + "/x", "text");
    }
    CHECK(folder.names().empty());
}

TEST_CASE("a folder may grow elsewhere, even on another file system, and leaves nothing there") {
    const TemporaryFolder folder;
    const fs::path memory = "/dev/shm";
    const bool two_systems = ::access(memory.c_str(), W_OK) == 0;
    const fs::path scratch =
        (two_systems ? memory : fs::path(folder / ".")) / ("scratch-" + std::to_string(::getpid()));
    fs::create_directory(scratch);
    {
        const AtomicFolder dropped(folder / "out", scratch.string());
        write_whole_file(dropped.temporary_path() + "/x", "text");
    }
    CHECK(fs::is_empty(scratch));
    AtomicFolder output(folder / "out/", scratch.string());
    CHECK(fs::path(output.temporary_path()).parent_path().parent_path() == scratch);
    fs::create_directory(output.temporary_path() + "/below");
    write_whole_file(output.temporary_path() + "/below/y", "more");
    output.commit();
    CHECK(slurp(folder / "out/below/y") == "more");
    CHECK(fs::is_empty(scratch));
    fs::remove(scratch);
    CHECK(folder.names() == std::vector<std::string>{"out"});
    CHECK_THROWS_AS(AtomicFolder(folder / "out", folder / "nowhere"), SystemError);
}

TEST_CASE("a folder never replaces a file, the current folder or one above it") {
    const TemporaryFolder folder;
    CHECK_THROWS_AS(AtomicFolder(folder.file("x", "")), SystemError);
    CHECK_THROWS_AS(AtomicFolder("."), UsageError);
    CHECK_THROWS_AS(AtomicFolder(".."), UsageError);
    CHECK_THROWS_AS(AtomicFolder("/"), UsageError);
}

TEST_CASE("a missing folder for an output is told with what to do") {
    const TemporaryFolder folder;
    const std::string missing = folder / "missing";
    CHECK_THROWS_WITH(
        require_folder_of(missing + "/model/"),
        "'" + missing + "/model/' cannot be written: there is no folder '" + missing + "'; make it first");
    CHECK_THROWS_AS(require_folder_of(folder.file("x", "") + "/model"), UsageError);
    CHECK_NOTHROW(require_folder_of(missing));
    CHECK_NOTHROW(require_folder_of("model"));
    CHECK_NOTHROW(require_folder_of("-"));
}

TEST_CASE(
    "leftovers of a process that had our number on our machine neither block an output nor get into it") {
    const TemporaryFolder folder;
    const auto machine = [&] {
        const AtomicFile file(folder / "x");
        return file.temporary_path().substr(file.temporary_path().rfind('-'));
    }();
    for (int count = 0; count < 64; ++count) {
        const std::string leftover = folder / fmt::format(".x.tmp-{}-{}{}", ::getpid(), count, machine);
        fs::create_directory(leftover);
        write_whole_file(leftover + "/old", "from another run");
    }
    { const AtomicFile file(folder / "x"); }
    AtomicFolder output(folder / "x");
    write_whole_file(output.temporary_path() + "/new", "");
    output.commit();
    CHECK(fs::exists(folder / "x/new"));
    CHECK_FALSE(fs::exists(folder / "x/old"));
    CHECK(folder.names() == std::vector<std::string>{"x"});
}

TEST_CASE("leftovers of ended processes go, those of running ones and of other outputs stay") {
    const TemporaryFolder folder;
    const AtomicFile running(folder / "x");
    const std::string own = fs::path(running.temporary_path()).filename().string();
    std::string stale = own;
    stale.replace(own.find("tmp-") + 4, std::to_string(::getpid()).size(), std::to_string(gone_process()));
    const std::string other_machine = stale.substr(0, stale.size() - 1) + (stale.ends_with('0') ? '1' : '0');
    static_cast<void>(folder.file(stale, ""));
    static_cast<void>(folder.file(other_machine, ""));
    static_cast<void>(folder.file(".y" + stale.substr(2), ""));
    static_cast<void>(folder.file(".x.tmp-notes", ""));
    remove_stale_temporaries(folder / "x");
    CHECK_FALSE(fs::exists(folder / stale));
    CHECK(fs::exists(folder / own));
    CHECK(fs::exists(folder / other_machine));
    CHECK(folder.names().size() == 4);
}

TEST_CASE("what a signal removes cannot be made anew by a library that is still at work") {
    const TemporaryFolder folder;
    CHECK(status_of_child([&] {
              const AtomicFolder output(folder / "out");
              const AtomicFile file(folder / "file");
              remove_temporaries_for_good();
              std::error_code error;
              fs::create_directory(output.temporary_path(), error);
              ::_exit(error ? 0 : 1);
          }) == 0);
    CHECK(folder.names().empty());
}

TEST_CASE("a killed run leaves only what the next one removes") {
    const TemporaryFolder folder;
    (void)status_of_child([&] {
        const AtomicFolder output(folder / "out");
        write_whole_file(output.temporary_path() + "/x", "half");
        ::_exit(1);
    });
    CHECK_FALSE(fs::exists(folder / "out"));
    CHECK(folder.names().size() == 1);
    AtomicFolder(folder / "out").commit();
    CHECK(folder.names() == std::vector<std::string>{"out"});
    CHECK(fs::is_empty(folder / "out"));
}
