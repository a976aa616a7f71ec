#include "base/parallel.hpp"

#include <atomic>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace treeline::base;

namespace {

using Pieces = std::set<std::pair<std::size_t, std::size_t>>;

Pieces pieces_of(std::size_t threads, std::size_t count, std::size_t grain) {
    Pieces pieces;
    std::mutex mutex;
    run_with_threads(threads, [&] {
        parallel_pieces(count, grain, [&](std::size_t begin, std::size_t end) {
            const std::lock_guard lock(mutex);
            REQUIRE(pieces.emplace(begin, end).second);
        });
    });
    return pieces;
}

}  // namespace

TEST_CASE("the pieces are the same for any number of threads") {
    const Pieces expected = {{0, 4}, {4, 8}, {8, 10}};
    for (const std::size_t threads : {1, 2, 4, 7}) {
        CHECK(pieces_of(threads, 10, 4) == expected);
    }
    CHECK(pieces_of(2, 0, 4).empty());
    CHECK(pieces_of(2, 3, 0) == Pieces{{0, 1}, {1, 2}, {2, 3}});
    CHECK(pieces_of(2, 3, SIZE_MAX) == Pieces{{0, 3}});
    CHECK(pieces_of(2, 8, 4) == Pieces{{0, 4}, {4, 8}});
}

TEST_CASE("sums kept per piece are the same to the bit for any number of threads") {
    const auto sum = [](std::size_t threads) {
        std::vector<double> partial(1000);
        run_with_threads(threads, [&] {
            parallel_pieces(100'000, 100, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    partial[begin / 100] += 1 / (1 + static_cast<double>(i));
                }
            });
        });
        return std::accumulate(partial.begin(), partial.end(), 0.0);
    };
    CHECK(sum(1) == sum(2));
    CHECK(sum(1) == sum(5));
}

TEST_CASE("the error of the first failing piece comes out, whatever the timing") {
    for (int repetition = 0; repetition < 20; ++repetition) {
        CHECK_THROWS_WITH(run_with_threads(4,
                                           [] {
                                               parallel_pieces(100, 1, [](std::size_t begin, std::size_t) {
                                                   if (begin >= 37) {
                                                       throw std::runtime_error(std::to_string(begin));
                                                   }
                                               });
                                           }),
                          "37");
    }
}

TEST_CASE("the arena has the threads it was asked for, also more than the machine has") {
    for (const std::size_t threads : {1, 2, 5}) {
        std::size_t inside = 0;
        run_with_threads(threads, [&] { inside = current_threads(); });
        CHECK(inside == threads);
    }
    std::size_t all = 0;
    run_with_threads(0, [&] { all = current_threads(); });
    CHECK(all == available_threads());
    CHECK(available_threads() >= 1);
}

TEST_CASE("an error of the work itself comes out") {
    CHECK_THROWS_WITH(run_with_threads(2, [] { throw std::runtime_error("work"); }), "work");
}
