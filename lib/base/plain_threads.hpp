#pragma once

#include <cstddef>
#include <functional>

#include "base/pipeline.hpp"

namespace treeline::base {

/// Calls body(piece) for all pieces on up to `threads` threads of the standard library, the caller among them; from within
/// such a call, one after the other. The threads stay for the next call. What parallel_pieces() is made of under
/// ThreadSanitizer.
void run_on_plain_threads(std::size_t threads, std::size_t pieces,
                          const std::function<void(std::size_t)>& body);

/// run_pipeline() on up to `threads` such threads, an item a thread at once.
void pipe_on_plain_threads(std::size_t threads, const std::function<Parcel()>& read,
                           const std::function<Parcel(const Parcel&)>& work,
                           const std::function<void(const Parcel&)>& hand_over);

}  // namespace treeline::base
