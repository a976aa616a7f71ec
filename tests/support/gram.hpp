#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace treeline::test {

/// Largest |K(i,j) - K(j,i)|.
[[nodiscard]] inline double asymmetry(const std::vector<std::vector<double>>& gram) {
    double largest = 0;
    for (std::size_t i = 0; i < gram.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            largest = std::max(largest, std::abs(gram[i][j] - gram[j][i]));
        }
    }
    return largest;
}

/// Smallest pivot of the elimination of gram + jitter * I: above 0 exactly if that matrix is positive
/// definite, so that no eigenvalue of the Gram matrix lies below -jitter.
[[nodiscard]] inline double smallest_pivot(std::vector<std::vector<double>> gram, double jitter) {
    double smallest = jitter;
    for (std::size_t k = 0; k < gram.size(); ++k) {
        gram[k][k] += jitter;
        smallest = std::min(smallest, gram[k][k]);
        for (std::size_t i = k + 1; i < gram.size(); ++i) {
            const double factor = gram[i][k] / gram[k][k];
            for (std::size_t j = k + 1; j < gram.size(); ++j) {
                gram[i][j] -= factor * gram[k][j];
            }
        }
    }
    return smallest;
}

}  // namespace treeline::test
