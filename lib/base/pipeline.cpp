#include "base/pipeline.hpp"

#ifdef TREELINE_PLAIN_THREADS
#include "base/parallel.hpp"
#include "base/plain_threads.hpp"
#else
#include <tbb/parallel_pipeline.h>
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
    const auto first = [&](tbb::flow_control& control) {
        Parcel item = read();
        if (item == nullptr) {
            control.stop();
        }
        return item;
    };
    tbb::parallel_pipeline(most,
                           tbb::make_filter<void, Parcel>(tbb::filter_mode::serial_in_order, first) &
                               tbb::make_filter<Parcel, Parcel>(tbb::filter_mode::parallel, work) &
                               tbb::make_filter<Parcel, void>(tbb::filter_mode::serial_in_order, hand_over));
#endif
}

}  // namespace treeline::base
