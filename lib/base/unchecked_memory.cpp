#include "base/unchecked_memory.hpp"

#include <csignal>

namespace treeline::base {

namespace {

/// Whole numbers of this type are all that a signal handler may read of what its thread was just writing.
thread_local volatile std::sig_atomic_t inside = 0;

}  // namespace

UncheckedMemory::UncheckedMemory() noexcept : outer_(inside != 0) { inside = 1; }

UncheckedMemory::~UncheckedMemory() { inside = outer_ ? 1 : 0; }

bool uses_unchecked_memory() noexcept { return inside != 0; }

}  // namespace treeline::base
