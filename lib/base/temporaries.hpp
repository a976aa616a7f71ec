#pragma once

#include <functional>
#include <mutex>
#include <string>

/// The files and folders that this process has under temporary names, so that a signal need not leave them.
namespace treeline::base {

/// A temporary name in use, for as long as it lives; the file itself is its owner's.
class TemporaryName {
  public:
    TemporaryName() = default;
    /// `create` makes the file or folder, and throws where it cannot: in one step with the name, so that a signal finds both or none.
    TemporaryName(std::string path, const std::function<void()>& create);
    TemporaryName(TemporaryName&& other) noexcept;
    TemporaryName& operator=(TemporaryName&& other) noexcept;
    ~TemporaryName();

  private:
    std::string path_;
};

/// While it is held nothing is removed: for the step that takes a temporary name away from a file or folder, which would
/// otherwise go on to be removed under its last name. Held by a thread that makes no TemporaryName meanwhile.
[[nodiscard]] std::unique_lock<std::mutex> keep_temporaries();

/// Removes all that is there under such names. The process must end right after: whoever wants another one waits for ever.
/// Other threads go on meanwhile, and libraries may make a folder anew that they write into: give them one within a temporary one.
void remove_temporaries_for_good();

}  // namespace treeline::base
