#include "common/stop.hpp"

#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>
#include <system_error>
#include <thread>

#include "base/temporaries.hpp"
#include "common/last_words.hpp"

namespace treeline::stage {

namespace {

std::atomic<bool> stoppable = false;  ///< whether the next signal is a request
std::atomic<bool> requested = false;
std::atomic<bool> noticed = false;  ///< whether the work has seen the request
std::atomic<pid_t> watched = 0;  ///< the process that has a thread to clean up; one that is forked has none
std::atomic<int> deadly = 0;     ///< the signal that ends the process
std::atomic<int> unheard = 0;    ///< the signal that was a request
std::atomic<bool> cleaned = false;  ///< whether nothing is left to do but to end
sem_t dying;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free,
              "a signal handler may not take locks");

void end_by(int number) {
    ::signal(number, SIG_DFL);
    ::kill(::getpid(), number);
}

extern "C" void on_signal(int number) {
    if (cleaned) {
        // stop_on_signals() has come in between: this is the signal that ends the process.
        end_by(number);
    } else if (number != SIGHUP && stoppable.exchange(false)) {
        requested = true;
        unheard = number;
        ::sem_post(&dying);
    } else if (watched == ::getpid()) {
        deadly = number;
        ::sem_post(&dying);
    } else {
        end_by(number);
    }
}

/// How long work may go on that has not come to ask whether it is to stop.
constexpr int kPatienceSeconds = 10;

/// Files cannot be removed from within a handler.
void clean_up_when_dying() {
    while (::sem_wait(&dying) != 0) {
    }
    if (deadly == 0) {
        timespec until{};
        ::clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += kPatienceSeconds;
        while (::sem_timedwait(&dying, &until) != 0 && (errno != ETIMEDOUT || noticed)) {
            if (errno == ETIMEDOUT) {
                until.tv_sec += kPatienceSeconds;
            }
        }
        if (deadly == 0) {
            deadly = unheard.load();
            write_last_words("interrupted in the middle of a long step: nothing could be kept");
        }
    }
    base::remove_temporaries_for_good();
    cleaned = true;
    end_by(deadly);
}

void handle(int number) {
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(number, &action, nullptr);
}

bool is_ignored(int number) {
    struct sigaction action {};
    ::sigaction(number, nullptr, &action);
    return action.sa_handler == SIG_IGN;
}

}  // namespace

void clean_up_on_signals() {
    if (watched == ::getpid()) {
        return;
    }
    ::sem_init(&dying, 0, 0);
    try {
        std::thread(clean_up_when_dying).detach();
    } catch (const std::system_error&) {
        return;  // no thread to be had: the next run removes what a signal leaves
    }
    watched = ::getpid();
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        if (!is_ignored(number)) {
            handle(number);
        }
    }
}

void stop_on_signals() {
    requested = false;
    noticed = false;
    stoppable = true;
    handle(SIGINT);
    handle(SIGTERM);
}

bool stop_requested() {
    if (requested) {
        noticed = true;
    }
    return requested;
}

}  // namespace treeline::stage
