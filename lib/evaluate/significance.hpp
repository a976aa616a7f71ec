#pragma once

#include <cstdint>

namespace treeline::evaluate {

/// McNemar's test (1947): do two classifiers that judged the same examples differ in accuracy? Only the examples that
/// one of them alone got right count.
struct McNemar {
    std::uint64_t only_first = 0;   ///< examples that the first alone got right
    std::uint64_t only_second = 0;  ///< and the second
    double statistic = 0;  ///< (|b - c| - 1)^2 / (b + c), chi-squared with one degree of freedom; 0 for b = c
    double p = 1;          ///< exact, two-sided: P(a fair coin is as uneven in b + c throws)
};

[[nodiscard]] McNemar mcnemar(std::uint64_t only_first, std::uint64_t only_second);

}  // namespace treeline::evaluate
