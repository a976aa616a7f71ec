#include "work.hpp"

#include <nanobind/stl/string.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <thread>

#include "base/parallel.hpp"

namespace nb = nanobind;

namespace treeline::python {

namespace {

constexpr std::chrono::milliseconds kLookEvery{50};

}  // namespace

void Listener::start(std::string_view task, std::uint64_t total) {
    check();
    const std::scoped_lock lock(mutex_);
    state_ = {std::string(task), 0, total};
}

void Listener::update(std::uint64_t done) {
    check();
    const std::scoped_lock lock(mutex_);
    state_.done = done;
}

void Listener::finish() {
    check();
    const std::scoped_lock lock(mutex_);
    state_.done = state_.total;
}

void Listener::check() const {
    if (stopped_) {
        throw Interrupted();
    }
}

Listener::State Listener::state() const {
    const std::scoped_lock lock(mutex_);
    return state_;
}

void run(const CallOptions& options, const std::function<void(Listener&)>& work) {
    Listener listener;
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    std::exception_ptr failure;       // of the work
    std::exception_ptr interruption;  // by a signal or the callback
    std::thread worker([&] {
        try {
            base::run_with_threads(options.threads, [&] { work(listener); });
        } catch (...) {
            failure = std::current_exception();
        }
        const std::scoped_lock lock(mutex);
        done = true;
        ended.notify_one();
    });
    Listener::State told;
    const auto tell = [&] {
        if (Listener::State state = listener.state(); !options.progress.is_none() && state != told) {
            options.progress(state.task, state.done, state.total);
            told = std::move(state);
        }
    };
    {
        const nb::gil_scoped_release released;
        std::unique_lock lock(mutex);
        while (!ended.wait_for(lock, kLookEvery, [&] { return done; })) {
            lock.unlock();
            if (!interruption) {
                const nb::gil_scoped_acquire acquired;
                try {
                    if (PyErr_CheckSignals() != 0) {
                        throw nb::python_error();
                    }
                    tell();
                } catch (...) {
                    interruption = std::current_exception();
                    listener.stop();
                }
            }
            lock.lock();
        }
        lock.unlock();
        worker.join();
    }
    if (interruption) {
        std::rethrow_exception(interruption);
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
    tell();
}

}  // namespace treeline::python
