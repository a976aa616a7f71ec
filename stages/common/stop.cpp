#include "common/stop.hpp"

#include <signal.h>

#include <atomic>

namespace treeline::stage {

namespace {

std::atomic<bool> requested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not take locks");

extern "C" void request_stop(int) { requested = true; }

}  // namespace

void stop_on_signals() {
    requested = false;
    struct sigaction action {};
    action.sa_handler = request_stop;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

bool stop_requested() { return requested; }

}  // namespace treeline::stage
