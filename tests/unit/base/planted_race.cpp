/// Two pieces, which wait for each other, add to one number without a lock: ThreadSanitizer must report it. A test of the tests.
#include <atomic>
#include <cstddef>
#include <thread>

#include "base/parallel.hpp"

int main() {
    constexpr std::size_t kPieces = 2;
    std::atomic<std::size_t> begun = 0;
    std::size_t sum = 0;
    treeline::base::run_with_threads(kPieces, [&] {
        treeline::base::parallel_pieces(kPieces, 1, [&](std::size_t, std::size_t end) {
            // Not in turn, which tsan would take for order.
            begun.fetch_add(1, std::memory_order_relaxed);
            while (begun.load(std::memory_order_relaxed) < kPieces) {
                std::this_thread::yield();
            }
            sum += end;
        });
    });
    return sum == 0 ? 1 : 0;
}
