#include "common/last_words.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <new>

#include "base/error.hpp"

namespace treeline::stage {

namespace {

/// Neither allocates nor takes locks: nobody knows what the process was doing.
void write_to_stderr(const char* text) {
    [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text, std::strlen(text));
}

[[noreturn]] void die(const char* reason) {
    write_to_stderr(program_invocation_short_name);
    write_to_stderr(": ");
    write_to_stderr(reason);
    write_to_stderr("\n");
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

}  // namespace

void speak_before_dying() {
    std::set_terminate(on_terminate);
    ::signal(SIGABRT, on_abort);
}

}  // namespace treeline::stage
