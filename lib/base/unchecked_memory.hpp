#pragma once

namespace treeline::base {

/// While one lives, its thread is inside a library that uses what malloc() returns without looking. Only there does an access near
/// address 0 mean that memory was not to be had; anywhere else it is a defect. For the adapter of such a library, around the call.
class UncheckedMemory {
  public:
    UncheckedMemory() noexcept;
    ~UncheckedMemory();
    UncheckedMemory(const UncheckedMemory&) = delete;
    UncheckedMemory& operator=(const UncheckedMemory&) = delete;

  private:
    bool outer_;  ///< whether another one was there before
};

/// What `call`, into such a library, returns.
template <typename Call>
decltype(auto) call_unchecked(const Call& call) {
    const UncheckedMemory inside;
    return call();
}

/// Whether this thread is inside such a library. May be called by a signal handler.
[[nodiscard]] bool uses_unchecked_memory() noexcept;

}  // namespace treeline::base
