#include "common/last_words.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>

#include "base/error.hpp"
#include "base/unchecked_memory.hpp"

namespace treeline::stage {

namespace {

/// Neither allocates nor takes locks: nobody knows what the process was doing.
void write_to_stderr(const char* text) {
    [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text, std::strlen(text));
}

[[noreturn]] void die(const char* reason) {
    write_last_words(reason);
    ::_exit(static_cast<int>(base::ExitCode::kFailed));
}

[[noreturn]] void on_terminate() {
    if (const auto current = std::current_exception()) {
        try {
            std::rethrow_exception(current);
        } catch (const std::bad_alloc&) {
            // As below.
        } catch (const std::exception& error) {
            die(error.what());
        } catch (...) {
            die("ended by an unknown error");
        }
    }
    // Without an exception a thread was given up with the work of its owner, for which too little memory is the only cause.
    die("out of memory, or threads could not be started; lower --memory or --threads, or use a larger machine");
}

extern "C" void on_abort(int) {
    die("ended by an error inside a library; see above, and check memory and disk");
}

/// Installed for one signal only: where it returns, the access is tried again and ends the process as the defect that it is.
extern "C" void on_bad_access(int, siginfo_t* what, void*) {
    constexpr std::uintptr_t kNearNull = std::uintptr_t{1} << 20U;
    const bool was_sent = what->si_code <= 0;
    if (was_sent) {
        ::raise(SIGSEGV);
    } else if (base::uses_unchecked_memory() && reinterpret_cast<std::uintptr_t>(what->si_addr) < kNearNull) {
        die("out of memory inside a library; lower --memory or --threads, or use a larger machine");
    }
}

}  // namespace

void write_last_words(const char* text) {
    write_to_stderr(program_invocation_short_name);
    write_to_stderr(": ");
    write_to_stderr(text);
    write_to_stderr("\n");
}

void speak_before_dying() {
    std::set_terminate(on_terminate);
    ::signal(SIGABRT, on_abort);
    struct sigaction present {};
    // A sanitizer that is there already says more.
    if (::sigaction(SIGSEGV, nullptr, &present) == 0 && present.sa_handler == SIG_DFL) {
        struct sigaction ours {};
        ours.sa_sigaction = on_bad_access;
        ours.sa_flags = SA_SIGINFO | static_cast<int>(SA_RESETHAND);
        ::sigaction(SIGSEGV, &ours, nullptr);
    }
}

}  // namespace treeline::stage
