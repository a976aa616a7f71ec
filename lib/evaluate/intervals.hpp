#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "evaluate/metrics.hpp"

namespace treeline::evaluate {

/// Where a measure lies, in percent.
struct Interval {
    double low = 0;
    double high = 100;
};

/// Quantile of the standard normal distribution for two-sided intervals of 95%.
inline constexpr double kNormal95 = 1.959963984540054;

/// Wilson's interval of a share (1927), in percent: with p = hits / total, n = total and z,
/// (p + z^2/2n +- z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n).
/// It stays between 0 and 100 and is right for few examples too. Everything is possible where total is 0.
[[nodiscard]] Interval wilson_interval(std::uint64_t hits, std::uint64_t total, double z = kNormal95);

/// Wilson's interval of the accuracy.
[[nodiscard]] Interval accuracy_interval(const Metrics& metrics);

struct BootstrapOptions {
    std::size_t samples = 2000;  ///< at least 1
    double level = 0.95;         ///< above 0, below 1
    std::uint64_t seed = 1;
};

/// The percentile bootstrap (Efron 1979) of any measure, F1 for example: the same number of examples is drawn with
/// replacement, `samples` times; the interval leaves out (1 - level) / 2 of the values on either side. Depends on the
/// counts and the seed alone. Cost: samples * examples draws.
[[nodiscard]] Interval bootstrap_interval(const Metrics& metrics,
                                          const std::function<double(const Metrics&)>& measure,
                                          const BootstrapOptions& options = {});

}  // namespace treeline::evaluate
