#include "evaluate/intervals.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.hpp"

namespace treeline::evaluate {

Interval wilson_interval(std::uint64_t hits, std::uint64_t total, double z) {
    assert(hits <= total);
    if (total == 0) {
        return {};
    }
    const auto n = static_cast<double>(total);
    const double p = static_cast<double>(hits) / n;
    const double middle = p + z * z / (2 * n);
    const double reach = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    const double scale = 100 / (1 + z * z / n);
    return {std::max(0.0, scale * (middle - reach)), std::min(100.0, scale * (middle + reach))};
}

Interval accuracy_interval(const Metrics& metrics) {
    std::uint64_t hits = 0;
    for (const ClassScore& score : metrics.classes()) {
        hits += metrics.confusion(score.label, score.label);
    }
    return wilson_interval(hits, metrics.examples());
}

Interval bootstrap_interval(const Metrics& metrics, const std::function<double(const Metrics&)>& measure,
                            const BootstrapOptions& options) {
    struct Cell {
        std::string gold;
        std::string predicted;
        std::uint64_t end;  ///< examples in the cells up to this one
    };
    const std::vector<ClassScore> classes = metrics.classes();
    std::vector<Cell> cells;
    std::uint64_t total = 0;
    for (const ClassScore& gold : classes) {
        for (const ClassScore& predicted : classes) {
            if (const std::uint64_t count = metrics.confusion(gold.label, predicted.label)) {
                total += count;
                cells.push_back({gold.label, predicted.label, total});
            }
        }
    }
    if (total == 0) {
        return {};
    }
    base::Random random(options.seed);
    std::vector<double> values(std::max<std::size_t>(1, options.samples));
    for (double& value : values) {
        std::vector<std::uint64_t> counts(cells.size());
        for (std::uint64_t i = 0; i < total; ++i) {
            const auto cell = std::ranges::upper_bound(cells, random.below(total), {}, &Cell::end);
            ++counts[static_cast<std::size_t>(cell - cells.begin())];
        }
        Metrics sample;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (counts[i] > 0) {
                sample.add(cells[i].gold, cells[i].predicted, counts[i]);
            }
        }
        value = measure(sample);
    }
    std::ranges::sort(values);
    const double tail = (1 - options.level) / 2;
    const auto outside = static_cast<std::size_t>(tail * static_cast<double>(values.size()));
    return {values[outside], values[values.size() - 1 - outside]};
}

}  // namespace treeline::evaluate
