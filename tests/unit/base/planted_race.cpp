/// Pieces that add to one number without a lock: ThreadSanitizer must report it. A test of the tests.
#include <cstddef>

#include "base/parallel.hpp"

int main() {
    std::size_t sum = 0;
    treeline::base::run_with_threads(4, [&] {
        treeline::base::parallel_pieces(100000, 1, [&](std::size_t begin, std::size_t) { sum += begin; });
    });
    return sum == 0 ? 1 : 0;
}
