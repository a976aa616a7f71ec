#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace treeline::base {

/// xoshiro256** seeded by splitmix64 (Blackman & Vigna 2018): the same sequence for a seed on every
/// platform and standard library. Not thread-safe; give each worker its own stream by fork().
class Random {
  public:
    explicit Random(std::uint64_t seed);

    std::uint64_t next();
    /// Uniform in [0, bound), without bias; bound > 0.
    std::uint64_t below(std::uint64_t bound);
    /// Uniform in [0, 1), 53 bits.
    double uniform();
    /// Standard normal deviate (polar method).
    double normal();
    /// An independent generator that depends on the seed and `stream` only, not on what was drawn.
    [[nodiscard]] Random fork(std::uint64_t stream) const;

    template <typename T>
    void shuffle(std::span<T> items) {
        for (std::size_t i = items.size(); i > 1; --i) {
            std::swap(items[i - 1], items[below(i)]);
        }
    }

  private:
    std::uint64_t seed_;
    std::array<std::uint64_t, 4> state_;
};

}  // namespace treeline::base
