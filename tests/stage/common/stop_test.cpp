#include "common/stop.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/catch.hpp"
#include "support/child.hpp"

using namespace treeline::stage;
using treeline::test::status_of_child;

TEST_CASE("the first signal asks to stop, the second one ends the process") {
    for (const int number : {SIGINT, SIGTERM}) {
        CHECK(status_of_child([&] {
                  stop_on_signals();
                  const bool before = stop_requested();
                  ::raise(number);
                  ::_exit(!before && stop_requested() ? 0 : 1);
              }) == 0);
        const int status = status_of_child([&] {
            stop_on_signals();
            ::raise(number);
            ::raise(number);
        });
        CHECK(WIFSIGNALED(status));
        CHECK(WTERMSIG(status) == number);
    }
}

TEST_CASE("a signal ends the process also while that begins to take signals as requests") {
    for (int attempt = 0; attempt < 200; ++attempt) {
        const int status = status_of_child([] {
            clean_up_on_signals();
            ::alarm(10);
            ::raise(SIGTERM);
            for (;;) {
                stop_on_signals();
            }
        });
        REQUIRE(WIFSIGNALED(status));
        REQUIRE(WTERMSIG(status) == SIGTERM);
    }
}
