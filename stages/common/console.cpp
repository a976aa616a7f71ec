#include "common/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/memory.hpp"

namespace treeline::stage {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds kRedraw{100};
constexpr std::chrono::seconds kBetweenLines{5};
constexpr std::size_t kBarWidth = 24;

std::string bar(double part) {
    const auto full = static_cast<std::size_t>(part * static_cast<double>(kBarWidth));
    return fmt::format("[{}{}]", std::string(full, '='), std::string(kBarWidth - full, ' '));
}

/// A line of the log for programs: what every one has, and `more`.
std::string json_line(std::string_view stage, const char* event, const Json& more) {
    Json line{{"stage", stage}, {"event", event}};
    line.update(more);
    return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

Console::Console(std::string stage, LogLevel level, std::ostream& out, bool terminal,
                 std::function<Clock::time_point()> now, LogFormat format)
    : stage_(std::move(stage)),
      level_(level),
      out_(out),
      terminal_(terminal && format == LogFormat::kText),
      now_(std::move(now)),
      format_(format) {}

Console::~Console() {
    erase();
    say_warnings();
}

void Console::start(std::string_view task, std::uint64_t total) {
    const std::lock_guard lock(mutex_);
    erase();
    task_ = task;
    total_ = total;
    done_ = 0;
    started_ = now_();
    next_ = (started_ + (terminal_ ? Clock::duration(kRedraw) : kBetweenLines)).time_since_epoch().count();
}

void Console::update(std::uint64_t done) {
    done_ = done;
    if (level_ == LogLevel::kQuiet || now_().time_since_epoch().count() < next_) {
        return;
    }
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = now_();
    if (now.time_since_epoch().count() < next_) {
        return;
    }
    next_ = (now + (terminal_ ? Clock::duration(kRedraw) : kBetweenLines)).time_since_epoch().count();
    if (terminal_) {
        draw(describe(done));
    } else if (format_ == LogFormat::kJson) {
        out_ << json_line(stage_, "progress",
                          {{"task", task_}, {"done", done}, {"total", total_}, {"seconds", elapsed()}})
             << std::flush;
    } else {
        line(describe(done));
    }
}

void Console::finish() {
    const std::lock_guard lock(mutex_);
    erase();
    if (level_ == LogLevel::kDebug || (level_ == LogLevel::kInfo && elapsed() >= 5)) {
        const std::uint64_t done = std::max(done_.load(), total_);
        if (format_ == LogFormat::kJson) {
            out_ << json_line(stage_, "task", {{"task", task_}, {"done", done}, {"seconds", elapsed()}})
                 << std::flush;
            return;
        }
        line(fmt::format("{}: {} in {}", task_, done, format_seconds(elapsed())));
    }
}

void Console::note(std::string_view text) {
    if (level_ != LogLevel::kQuiet) {
        say("note", text);
    }
}

void Console::detail(std::string_view text) {
    if (level_ == LogLevel::kDebug) {
        say("detail", text);
    }
}

void Console::warn(std::string_view text) {
    const std::lock_guard lock(mutex_);
    const auto same = std::ranges::find(warnings_, text, &std::pair<std::string, std::uint64_t>::first);
    if (same != warnings_.end()) {
        ++same->second;
    } else {
        warnings_.emplace_back(text, 1);
    }
}

void Console::end(const Summary& summary, double seconds, std::uint64_t peak_memory) {
    erase();
    say_warnings();
    if (level_ == LogLevel::kQuiet || (summary.answers && level_ != LogLevel::kDebug)) {
        return;
    }
    if (format_ == LogFormat::kJson) {
        out_ << json_line(stage_, "end",
                          {{"in", summary.in},
                           {"out", summary.out},
                           {"skipped", summary.skipped},
                           {"seconds", seconds},
                           {"peak_memory", peak_memory}})
             << std::flush;
    } else {
        line(to_string(summary, seconds, peak_memory));
    }
}

void Console::say_warnings() {
    for (const auto& [text, count] : std::exchange(warnings_, {})) {
        if (level_ == LogLevel::kQuiet) {
            continue;
        }
        if (format_ == LogFormat::kJson) {
            out_ << json_line(stage_, "warning", {{"message", text}, {"count", count}}) << std::flush;
        } else {
            line(fmt::format("warning: {}{}", text, count > 1 ? fmt::format(" ({} times)", count) : ""));
        }
    }
}

void Console::say(const char* event, std::string_view text) {
    const std::lock_guard lock(mutex_);
    erase();
    if (format_ == LogFormat::kJson) {
        out_ << json_line(stage_, event, {{"message", text}}) << std::flush;
        return;
    }
    for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
        line(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    line(text);
}

double Console::elapsed() const { return std::chrono::duration<double>(now_() - started_).count(); }

std::string Console::describe(std::uint64_t done) const {
    const double rate = static_cast<double>(done) / std::max(elapsed(), 1e-9);
    if (total_ == 0) {
        return fmt::format("{}: {} ({}/s)", task_, done, format_count(rate));
    }
    const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
    const double left = done < total_ && done > 0 ? static_cast<double>(total_ - done) / rate : 0;
    return fmt::format("{}: {}{:.0f}% of {} ({}/s, {} left)", task_, terminal_ ? bar(part) + " " : "",
                       100 * part, total_, format_count(rate), done > 0 ? format_seconds(left) : "?");
}

void Console::line(std::string_view text) { out_ << fmt::format("{}: {}\n", stage_, text) << std::flush; }

void Console::draw(std::string_view text) {
    out_ << fmt::format("\r{}: {}\x1b[K", stage_, text) << std::flush;
    drawn_ = true;
}

void Console::erase() {
    if (drawn_) {
        out_ << "\r\x1b[K" << std::flush;
        drawn_ = false;
    }
}

std::string to_string(const Summary& summary, double seconds, std::uint64_t peak_memory) {
    return fmt::format("{} records in, {} out, {} skipped, {}, peak memory {}", summary.in, summary.out,
                       summary.skipped, format_seconds(seconds), base::format_size(peak_memory));
}

std::string error_as_json(std::string_view stage, int exit_code, std::string_view message) {
    return json_line(stage, "error", {{"exit_code", exit_code}, {"message", message}});
}

std::string format_count(double count) {
    constexpr std::array kUnits = {"", " k", " M", " G", " T"};
    std::size_t unit = 0;
    while (count >= 999.95 && unit + 1 < kUnits.size()) {
        count /= 1000;
        ++unit;
    }
    return fmt::format("{:.{}f}{}", count, unit == 0 && count >= 10 ? 0 : 1, kUnits[unit]);
}

std::string format_seconds(double seconds) {
    if (seconds < 9.995) {
        return fmt::format("{:.2f} s", seconds);
    }
    if (seconds < 99.95) {
        return fmt::format("{:.1f} s", seconds);
    }
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    if (whole < 3600) {
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    }
    return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace treeline::stage
