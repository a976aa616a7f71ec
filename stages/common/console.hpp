#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "common/options.hpp"

namespace treeline::stage {

/// Talks to a person: every line is led by the stage's name, because a pipeline mixes the lines of many. On a
/// terminal a bar with rate and remaining time is redrawn in place; elsewhere a line comes every five
/// seconds. Quiet says nothing; debug also has details and the time of every task. Equal warnings are one line with
/// their number, when all is done. Or to a program: each line is then a JSON object with `stage`, `event` (progress,
/// task, note, detail, warning, error, end) and what the event has. Thread-safe.
class Console final : public base::ProgressObserver {
  public:
    using Clock = std::chrono::steady_clock;

    /// `out` must outlive it; `now` is replaced in tests.
    Console(std::string stage, LogLevel level, std::ostream& out, bool terminal,
            std::function<Clock::time_point()> now = Clock::now, LogFormat format = LogFormat::kText);
    ~Console() override;
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    void start(std::string_view task, std::uint64_t total) override;
    void update(std::uint64_t done) override;
    void finish() override;
    void note(std::string_view text) override;
    void detail(std::string_view text) override;
    void warn(std::string_view text) override;
    /// The last line: what was done, in which time, with how much memory.
    void end(const Summary& summary, double seconds, std::uint64_t peak_memory);

  private:
    [[nodiscard]] double elapsed() const;
    [[nodiscard]] std::string describe(std::uint64_t done) const;
    void say(const char* event, std::string_view text);
    void say_warnings();
    void line(std::string_view text);
    void draw(std::string_view text);
    void erase();

    const std::string stage_;
    const LogLevel level_;
    std::ostream& out_;
    const bool terminal_;
    const std::function<Clock::time_point()> now_;
    const LogFormat format_;

    std::mutex mutex_;
    std::vector<std::pair<std::string, std::uint64_t>> warnings_;  ///< each with its number, in order
    std::string task_;
    std::uint64_t total_ = 0;
    Clock::time_point started_;
    bool drawn_ = false;
    std::atomic<std::uint64_t> done_ = 0;
    std::atomic<Clock::rep> next_{};  ///< when the next update is worth showing
};

/// "5483 records in, 2041 out, 0 skipped, 3.21 s, peak memory 153 MB"
[[nodiscard]] std::string to_string(const Summary& summary, double seconds, std::uint64_t peak_memory);
/// A line of the log as JSON for an error that ends the process.
[[nodiscard]] std::string error_as_json(std::string_view stage, int exit_code, std::string_view message);

/// "12", "4.5 k", "1.2 M", "3.0 G".
[[nodiscard]] std::string format_count(double count);
/// "0.25 s", "12.3 s", "4 min 05 s", "3 h 07 min".
[[nodiscard]] std::string format_seconds(double seconds);

}  // namespace treeline::stage
