#include "common/last_words.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "base/unchecked_memory.hpp"
#include "support/catch.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;

namespace {

struct End {
    int status;
    std::string said;
};

/// How a child process that runs `body` ends, and what it writes to stderr.
End end_of_child(const std::function<void()>& body) {
    std::array<int, 2> pipe{};
    REQUIRE(::pipe(pipe.data()) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit no_core{0, 0};
        ::setrlimit(RLIMIT_CORE, &no_core);
        ::dup2(pipe[1], STDERR_FILENO);
        // That of the test program would speak instead.
        ::signal(SIGSEGV, SIG_DFL);
        stage::speak_before_dying();
        body();
        ::_exit(0);
    }
    ::close(pipe[1]);
    End end{};
    std::array<char, 256> bytes{};
    for (ssize_t size = 0; (size = ::read(pipe[0], bytes.data(), bytes.size())) > 0;) {
        end.said.append(bytes.data(), static_cast<std::size_t>(size));
    }
    ::close(pipe[0]);
    ::waitpid(child, &end.status, 0);
    return end;
}

/// The compiler must not know the address: it would warn.
void write_to(std::uintptr_t address) {
    const volatile std::uintptr_t hidden = address;
    *reinterpret_cast<volatile char*>(hidden) = 1;
}

constexpr std::uintptr_t kSomeMember = 24;

}  // namespace

TEST_CASE("a null pointer of ours ends the process by its signal") {
    const End end = end_of_child([] {
        { const base::UncheckedMemory left_before; }
        write_to(kSomeMember);
    });
    CHECK(WIFSIGNALED(end.status));
    CHECK(WTERMSIG(end.status) == SIGSEGV);
    CHECK(end.said.empty());
}

TEST_CASE("memory that a library did not get ends the process with a message") {
    const End end = end_of_child([] {
        const base::UncheckedMemory inside;
        { const base::UncheckedMemory nested; }
        write_to(kSomeMember);
    });
    CHECK(WIFEXITED(end.status));
    CHECK(WEXITSTATUS(end.status) == 1);
    CHECK_THAT(end.said, ContainsSubstring(": out of memory inside a library; lower --memory"));
}

TEST_CASE("a wild pointer in such a library is no lack of memory, nor is a signal that was sent") {
    const End wild = end_of_child([] {
        const base::UncheckedMemory inside;
        write_to(std::uintptr_t{1} << 40U);
    });
    CHECK(WIFSIGNALED(wild.status));
    const End sent = end_of_child([] {
        const base::UncheckedMemory inside;
        ::kill(::getpid(), SIGSEGV);
        ::pause();
    });
    CHECK(WIFSIGNALED(sent.status));
    CHECK(sent.said.empty());
}
