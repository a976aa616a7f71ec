#pragma once

#include <cstddef>
#include <functional>

namespace treeline::base {

/// Number of threads the machine offers this process (its CPU affinity), at least 1.
[[nodiscard]] std::size_t available_threads();

/// Runs `work` in a TBB arena of `threads` threads (0 = available_threads()); everything parallel below,
/// ours or TBB's, stays within it. Exceptions of workers come out here.
void run_with_threads(std::size_t threads, const std::function<void()>& work);

/// Threads of the arena of the caller.
[[nodiscard]] std::size_t current_threads();

/// Calls body(begin, end) over a partition of [0, count) into pieces of at most `grain`, in parallel and in
/// any order. The pieces themselves do not depend on the number of threads: sums kept per piece and
/// added in order give the same bytes for any of it. Where pieces throw, the error of the first one comes
/// out.
void parallel_pieces(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t begin, std::size_t end)>& body);

/// Runs `work`, a part of a piece: while it waits for pieces of its own, its thread begins no other piece from outside.
void run_isolated(const std::function<void()>& work);

}  // namespace treeline::base
