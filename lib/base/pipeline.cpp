#include "base/pipeline.hpp"

#ifdef TREELINE_PLAIN_THREADS
#include "base/parallel.hpp"
#include "base/plain_threads.hpp"
#else
#include <tbb/parallel_pipeline.h>

#include <atomic>
#include <exception>
#endif

namespace treeline::base {

/// Where ThreadSanitizer is on, on plain threads: what oneTBB, which is not built with it, hands from thread to thread would be taken for
/// races.
void run_pipeline(std::size_t most, const std::function<Parcel()>& read,
                  const std::function<Parcel(const Parcel&)>& work,
                  const std::function<void(const Parcel&)>& hand_over) {
#ifdef TREELINE_PLAIN_THREADS
    static_cast<void>(most);  // no more than there are threads
    pipe_on_plain_threads(current_threads(), read, work, hand_over);
#else
    // Where an exception leaves a filter, oneTBB loses the parcels that are on their way: what is left is passed on empty instead.
    std::atomic<bool> failed = false;
    std::exception_ptr problem;
    const auto attempt = [&](const auto& step) {
        try {
            return failed ? Parcel() : step();
        } catch (...) {
            if (!failed.exchange(true)) {
                problem = std::current_exception();
            }
            return Parcel();
        }
    };
    const auto first = [&](tbb::flow_control& control) {
        Parcel item = attempt(read);
        if (item == nullptr) {
            control.stop();
        }
        return item;
    };
    const auto second = [&](const Parcel& item) { return attempt([&] { return work(item); }); };
    const auto third = [&](const Parcel& item) {
        (void)attempt([&] {
            hand_over(item);
            return Parcel();
        });
    };
    tbb::parallel_pipeline(most,
                           tbb::make_filter<void, Parcel>(tbb::filter_mode::serial_in_order, first) &
                               tbb::make_filter<Parcel, Parcel>(tbb::filter_mode::parallel, second) &
                               tbb::make_filter<Parcel, void>(tbb::filter_mode::serial_in_order, third));
    if (problem) {
        std::rethrow_exception(problem);
    }
#endif
}

}  // namespace treeline::base
