#include "evaluate/significance.hpp"

#include <algorithm>
#include <cmath>

namespace treeline::evaluate {

namespace {

/// log C(n, k).
double log_choose(double n, double k) {
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

/// P(at most k heads in n throws of a fair coin), summed from the largest term down until nothing changes.
double fair_tail(std::uint64_t k, std::uint64_t n) {
    const auto throws = static_cast<double>(n);
    double term = std::exp(log_choose(throws, static_cast<double>(k)) - throws * std::log(2.0));
    double sum = 0;
    for (std::uint64_t heads = k;; --heads) {
        const double before = sum;
        sum += term;
        if (heads == 0 || sum == before) {
            return sum;
        }
        term *= static_cast<double>(heads) / (throws - static_cast<double>(heads) + 1);
    }
}

}  // namespace

McNemar mcnemar(std::uint64_t only_first, std::uint64_t only_second) {
    McNemar test{.only_first = only_first, .only_second = only_second};
    const std::uint64_t fewer = std::min(only_first, only_second);
    const std::uint64_t more = std::max(only_first, only_second);
    if (fewer == more) {
        return test;
    }
    const double difference = static_cast<double>(more - fewer) - 1;
    test.statistic = difference * difference / static_cast<double>(fewer + more);
    test.p = std::min(1.0, 2 * fair_tail(fewer, fewer + more));
    return test;
}

}  // namespace treeline::evaluate
