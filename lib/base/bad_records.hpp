#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/names.hpp"

namespace treeline::base {

/// What to do with a record that cannot be read.
enum class OnError { kFail, kSkip };
inline constexpr NameTable<OnError, 2> kOnErrorNames{{{OnError::kFail, "fail"}, {OnError::kSkip, "skip"}}};

/// Records that cannot be read: the first one stops the work, or they are counted, and the messages of the first few and
/// the first few problems are kept for a report.
class BadRecords {
  public:
    explicit BadRecords(OnError on_error = OnError::kFail) : on_error_(on_error) {}

    /// Throws `error` or counts it.
    void refuse(const InputError& error) {
        if (on_error_ == OnError::kFail) {
            throw error;
        }
        ++skipped_;
        keep(error.what());
        count({error, 1});
    }
    /// Adds records that come after those counted here.
    void append(const BadRecords& later) {
        skipped_ += later.skipped_;
        for (const std::string& message : later.messages_) {
            keep(message);
        }
        for (const Problem& problem : later.problems_) {
            count(problem);
        }
    }
    [[nodiscard]] std::uint64_t skipped() const { return skipped_; }
    /// Of the first few, each with its place.
    [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }
    /// A line a problem: where it was met first, and how often after that.
    [[nodiscard]] std::vector<std::string> problems() const {
        std::vector<std::string> lines;
        for (const Problem& problem : problems_) {
            lines.emplace_back(problem.first.what());
            if (problem.count > 1) {
                lines.back() += " (and " + std::to_string(problem.count - 1) + " more like it)";
            }
        }
        return lines;
    }

  private:
    struct Problem {
        InputError first;
        std::uint64_t count = 0;
    };
    static constexpr std::size_t kKept = 10;

    void keep(const std::string& message) {
        if (messages_.size() < kKept) {
            messages_.push_back(message);
        }
    }

    void count(const Problem& problem) {
        const auto same = std::ranges::find_if(problems_, [&](const Problem& other) {
            return other.first.problem() == problem.first.problem();
        });
        if (same != problems_.end()) {
            same->count += problem.count;
        } else if (problems_.size() < kKept) {
            problems_.push_back(problem);
        }
    }

    OnError on_error_;
    std::uint64_t skipped_ = 0;
    std::vector<std::string> messages_;
    std::vector<Problem> problems_;
};

}  // namespace treeline::base
