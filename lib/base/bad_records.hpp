#pragma once

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

/// Records that cannot be read: the first one stops the work, or they are counted and the messages of the first
/// few are kept for a report.
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
    }
    /// Adds records that come after those counted here.
    void append(const BadRecords& later) {
        skipped_ += later.skipped_;
        for (const std::string& message : later.messages_) {
            keep(message);
        }
    }
    [[nodiscard]] std::uint64_t skipped() const { return skipped_; }
    [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }

  private:
    static constexpr std::size_t kKept = 10;

    void keep(const std::string& message) {
        if (messages_.size() < kKept) {
            messages_.push_back(message);
        }
    }

    OnError on_error_;
    std::uint64_t skipped_ = 0;
    std::vector<std::string> messages_;
};

}  // namespace treeline::base
