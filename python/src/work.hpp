#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "base/progress.hpp"

namespace treeline::python {

/// Thrown inside work that Python's user has interrupted; never seen outside run().
class Interrupted : public std::exception {};

/// Hears of the progress of work that another thread does, for run() to pass on. Every call ends the work with
/// Interrupted once stop() was called.
class Listener final : public base::ProgressObserver {
  public:
    void start(std::string_view task, std::uint64_t total) override;
    void update(std::uint64_t done) override;
    void finish() override;
    void note(std::string_view) override { check(); }

    [[nodiscard]] bool stopped() const { return stopped_; }
    void stop() { stopped_ = true; }
    /// Throws Interrupted where the work is to end.
    void check() const;

    struct State {
        std::string task;
        std::uint64_t done = 0;
        std::uint64_t total = 0;
        bool operator==(const State&) const = default;
    };
    [[nodiscard]] State state() const;

  private:
    mutable std::mutex mutex_;
    State state_;
    std::atomic<bool> stopped_ = false;
};

/// How a call is carried out.
struct CallOptions {
    std::size_t threads = 0;                       ///< 0 = all that the process may use
    nanobind::object progress = nanobind::none();  ///< called with task, done, total from the caller's thread
};

/// Runs `work` without the GIL on a thread of its own, on options.threads threads, while the caller's thread looks
/// after signals and the progress callback. KeyboardInterrupt, or an exception of the callback, ends the work and comes
/// out here; so do the exceptions of the work.
void run(const CallOptions& options, const std::function<void(Listener&)>& work);

}  // namespace treeline::python
