#include "base/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#ifdef TREELINE_PLAIN_THREADS
#include "base/plain_threads.hpp"
#else
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace treeline::base {

namespace {

/// Keeps the error of the lowest piece, so that which error is reported does not depend on timing:
/// pieces below a failed one still run, those above it need not.
class FirstFailure {
  public:
    explicit FirstFailure(std::size_t pieces) : piece_(pieces) {}

    [[nodiscard]] bool precedes(std::size_t piece) const { return piece_.load() < piece; }

    void record(std::size_t piece, std::exception_ptr error) {
        const std::lock_guard lock(mutex_);
        if (piece < piece_.load()) {
            piece_ = piece;
            error_ = std::move(error);
        }
    }

    void rethrow() const {
        if (error_ != nullptr) {
            std::rethrow_exception(error_);
        }
    }

  private:
    std::mutex mutex_;
    std::atomic<std::size_t> piece_;
    std::exception_ptr error_;
};

/// Calls body(piece) for every piece, in parallel and in any order.
void run_pieces(std::size_t pieces, const std::function<void(std::size_t)>& body);

}  // namespace

std::size_t available_threads() {
    cpu_set_t allowed;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        return static_cast<std::size_t>(std::max(1, CPU_COUNT(&allowed)));
    }
    return std::max(1U, std::thread::hardware_concurrency());
}

void parallel_pieces(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t begin, std::size_t end)>& body) {
    grain = std::max<std::size_t>(grain, 1);
    const std::size_t pieces = count / grain + (count % grain != 0 ? 1 : 0);
    FirstFailure failure(pieces);
    run_pieces(pieces, [&](std::size_t piece) {
        if (failure.precedes(piece)) {
            return;
        }
        try {
            const std::size_t begin = piece * grain;
            body(begin, begin + std::min(grain, count - begin));
        } catch (...) {
            failure.record(piece, std::current_exception());
        }
    });
    failure.rethrow();
}

#ifdef TREELINE_PLAIN_THREADS

// Where ThreadSanitizer is on. oneTBB is not built with it: what it hands from thread to thread would not be seen, and whatever runs
// below its frames could not be told from what it does itself.

namespace {

std::atomic<std::size_t> arena = 0;  ///< threads of the innermost run_with_threads(), 0 outside of it

void run_pieces(std::size_t pieces, const std::function<void(std::size_t)>& body) {
    run_on_plain_threads(current_threads(), pieces, body);
}

}  // namespace

void run_with_threads(std::size_t threads, const std::function<void()>& work) {
    struct Inside {
        std::size_t before;
        ~Inside() { arena = before; }
    };
    const Inside inside{arena.exchange(threads == 0 ? available_threads() : threads)};
    work();
}

std::size_t current_threads() { return arena == 0 ? available_threads() : arena.load(); }

void run_isolated(const std::function<void()>& work) { work(); }

#else

namespace {

void run_pieces(std::size_t pieces, const std::function<void(std::size_t)>& body) {
    tbb::parallel_for(std::size_t{0}, pieces, body);
}

}  // namespace

void run_with_threads(std::size_t threads, const std::function<void()>& work) {
    const std::size_t count = threads == 0 ? available_threads() : threads;
    auto control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, count);
    tbb::task_arena arena(static_cast<int>(count));
    try {
        arena.initialize();
    } catch (...) {
        // Where oneTBB gets no memory for the arena it keeps its own lock, and the end of `control` would wait for it.
        static_cast<void>(control.release());
        throw;
    }
    arena.execute(work);
}

std::size_t current_threads() {
    return static_cast<std::size_t>(std::max(1, tbb::this_task_arena::max_concurrency()));
}

void run_isolated(const std::function<void()>& work) { tbb::this_task_arena::isolate(work); }

#endif

}  // namespace treeline::base
