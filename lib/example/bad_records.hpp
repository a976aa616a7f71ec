#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "example/example_reader.hpp"

namespace treeline::example {

/// What a reader does with records that cannot be read: stop at the first, or count them and keep the
/// messages of the first few for a report.
class BadRecords {
  public:
    explicit BadRecords(example::OnError on_error) : on_error_(on_error) {}

    /// Throws `error` or counts it.
    void refuse(const base::InputError& error) {
        if (on_error_ == example::OnError::kFail) {
            throw error;
        }
        ++skipped_;
        if (messages_.size() < kKept) {
            messages_.emplace_back(error.what());
        }
    }
    [[nodiscard]] std::uint64_t skipped() const { return skipped_; }
    [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }

  private:
    static constexpr std::size_t kKept = 10;
    example::OnError on_error_;
    std::uint64_t skipped_ = 0;
    std::vector<std::string> messages_;
};

}  // namespace treeline::example
