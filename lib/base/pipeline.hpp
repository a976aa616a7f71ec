#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace treeline::base {

/// What parallel_pipeline() is made of: items and results without their types.
using Parcel = std::shared_ptr<void>;
void run_pipeline(std::size_t most, const std::function<Parcel()>& read,
                  const std::function<Parcel(const Parcel&)>& work,
                  const std::function<void(const Parcel&)>& hand_over);

/// Calls read() for one item after the other until there is none (null), work(item) for several at once, and hand_over(result) in the
/// order of the items, one at a time. At most `most` items are on their way. What is thrown ends it and comes out.
template <typename Item, typename Result, typename Read, typename Work, typename HandOver>
void parallel_pipeline(std::size_t most, Read read, Work work, HandOver hand_over) {
    run_pipeline(
        most, [&]() -> Parcel { return std::shared_ptr<Item>(read()); },
        [&](const Parcel& item) -> Parcel {
            return std::shared_ptr<Result>(work(*std::static_pointer_cast<Item>(item)));
        },
        [&](const Parcel& result) { hand_over(*std::static_pointer_cast<Result>(result)); });
}

}  // namespace treeline::base
