#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace treeline::base {

/// Text that is not what it should be; `offset` counts bytes from the start of the text given.
/// Readers of files turn it into an InputError with path, line and column.
class SyntaxError : public std::runtime_error {
  public:
    SyntaxError(std::size_t offset, const std::string& problem)
        : std::runtime_error(problem), offset_(offset) {}
    [[nodiscard]] std::size_t offset() const { return offset_; }

  private:
    std::size_t offset_;
};

}  // namespace treeline::base
