#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace treeline::test {

/// The dual of the SVM by projected gradients on a dense matrix: minimizes b'Kb/2 - y'b over low <= b <= high
/// and, with bias, sum b = 0. Slow and simple, for a few dozen variables.
struct DualOracle {
    std::vector<std::vector<double>> kernel;
    std::vector<double> y;
    std::vector<double> low;
    std::vector<double> high;
    bool bias = true;

    [[nodiscard]] double objective(const std::vector<double>& b) const {
        double sum = 0;
        for (std::size_t i = 0; i < b.size(); ++i) {
            sum += y[i] * b[i];
            for (std::size_t j = 0; j < b.size(); ++j) {
                sum -= b[i] * kernel[i][j] * b[j] / 2;
            }
        }
        return sum;
    }

    /// The nearest point that is allowed.
    [[nodiscard]] std::vector<double> project(const std::vector<double>& b) const {
        const auto shifted = [&](double shift) {
            std::vector<double> result(b.size());
            for (std::size_t i = 0; i < b.size(); ++i) {
                result[i] = std::clamp(b[i] - shift, low[i], high[i]);
            }
            return result;
        };
        if (!bias) {
            return shifted(0);
        }
        double from = -1e6;
        double to = 1e6;
        for (int i = 0; i < 80; ++i) {
            const double middle = (from + to) / 2;
            double sum = 0;
            for (const double value : shifted(middle)) {
                sum += value;
            }
            (sum > 0 ? from : to) = middle;
        }
        return shifted((from + to) / 2);
    }

    /// The largest value of the dual.
    [[nodiscard]] double solve() const {
        double largest = 0;
        for (const auto& row : kernel) {
            double sum = 0;
            for (const double value : row) {
                sum += std::abs(value);
            }
            largest = std::max(largest, sum);
        }
        std::vector<double> b(y.size());
        std::vector<double> ahead = b;
        double momentum = 1;
        for (int step = 0; step < 4000; ++step) {
            std::vector<double> moved = ahead;
            for (std::size_t i = 0; i < b.size(); ++i) {
                double gradient = y[i];
                for (std::size_t j = 0; j < b.size(); ++j) {
                    gradient -= kernel[i][j] * ahead[j];
                }
                moved[i] += gradient / largest;
            }
            moved = project(moved);
            const double next = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
            for (std::size_t i = 0; i < b.size(); ++i) {
                ahead[i] = moved[i] + (momentum - 1) / next * (moved[i] - b[i]);
            }
            b = moved;
            momentum = next;
        }
        return objective(b);
    }
};

}  // namespace treeline::test
