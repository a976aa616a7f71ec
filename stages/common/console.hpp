#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

#include "base/progress.hpp"
#include "common/options.hpp"

namespace treeline::stage {

/// Talks to a person: every line is led by the stage's name, because a pipeline mixes the lines of many. On a
/// terminal a bar with rate and remaining time is redrawn in place; elsewhere a line comes every five
/// seconds. Quiet says nothing; debug also reports the time of every task. Thread-safe.
class Console final : public base::ProgressObserver {
  public:
    using Clock = std::chrono::steady_clock;

    /// `out` must outlive it; `now` is replaced in tests.
    Console(std::string stage, LogLevel level, std::ostream& out, bool terminal,
            std::function<Clock::time_point()> now = Clock::now);
    ~Console() override;
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    void start(std::string_view task, std::uint64_t total) override;
    void update(std::uint64_t done) override;
    void finish() override;
    void note(std::string_view text) override;

  private:
    [[nodiscard]] double elapsed() const;
    [[nodiscard]] std::string describe(std::uint64_t done) const;
    void line(std::string_view text);
    void draw(std::string_view text);
    void erase();

    const std::string stage_;
    const LogLevel level_;
    std::ostream& out_;
    const bool terminal_;
    const std::function<Clock::time_point()> now_;

    std::mutex mutex_;
    std::string task_;
    std::uint64_t total_ = 0;
    Clock::time_point started_;
    bool drawn_ = false;
    std::atomic<std::uint64_t> done_ = 0;
    std::atomic<Clock::rep> next_{};  ///< when the next update is worth showing
};

/// "12", "4.5 k", "1.2 M", "3.0 G".
[[nodiscard]] std::string format_count(double count);
/// "0.25 s", "12.3 s", "4 min 05 s", "3 h 07 min".
[[nodiscard]] std::string format_seconds(double seconds);

}  // namespace treeline::stage
