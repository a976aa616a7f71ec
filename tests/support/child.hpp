#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <stdexcept>

namespace treeline::test {

/// How a child process that runs `body` ends, as waitpid says it: 0 where `body` returns.
inline int status_of_child(const std::function<void()>& body) {
    const pid_t child = ::fork();
    if (child == 0) {
        body();
        ::_exit(0);
    }
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child) {
        throw std::runtime_error("cannot run a child process");
    }
    return status;
}

}  // namespace treeline::test
