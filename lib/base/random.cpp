#include "base/random.hpp"

#include <bit>
#include <cmath>

namespace treeline::base {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kGoldenGamma = 0x9e3779b97f4a7c15;

/// One step of splitmix64: advances `state` and returns its output.
std::uint64_t splitmix(std::uint64_t& state) {
    std::uint64_t z = state += kGoldenGamma;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed) : seed_(seed), state_() {
    for (std::uint64_t& word : state_) {
        word = splitmix(seed);
    }
}

std::uint64_t Random::next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
    // Lemire 2019: the high word of a 64 x 64 bit product; low words under 2^64 mod bound are drawn again.
    Wide product = Wide{next()} * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
        const std::uint64_t rejected = (0 - bound) % bound;
        while (static_cast<std::uint64_t>(product) < rejected) {
            product = Wide{next()} * bound;
        }
    }
    return static_cast<std::uint64_t>(product >> 64);
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

double Random::normal() {
    for (;;) {
        const double x = 2 * uniform() - 1;
        const double y = 2 * uniform() - 1;
        const double square = x * x + y * y;
        if (square > 0 && square < 1) {
            return x * std::sqrt(-2 * std::log(square) / square);
        }
    }
}

Random Random::fork(std::uint64_t stream) const {
    std::uint64_t state = seed_ ^ 0x74726565666f726b;  // keeps children apart from Random(seed) itself
    state = splitmix(state) + stream;
    return Random(splitmix(state));
}

}  // namespace treeline::base
