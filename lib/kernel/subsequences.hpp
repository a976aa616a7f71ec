#pragma once

#include <cstddef>
#include <vector>

namespace treeline::kernel {

/// Sum over all pairs of equally long, non-empty child subsequences of lambda^(span1 + span2) times the
/// product of delta(i, j) over the paired children: sum_p S_p of DESIGN section 3, for all lengths p at once.
///
/// With G(i,j) the share of the pairs that end at children i and j,
///   G(i,j) = lambda^2 delta(i,j) (1 + H(i-1,j-1)),   H(i,j) = sum_{i'<=i, j'<=j} lambda^((i-i')+(j-j'))
///   G(i',j').
/// Sums of non-negative terms only, so nothing cancels. O(m n) time, O(n) space.
template <typename Delta>
[[nodiscard]] double subsequence_sum(std::size_t m, std::size_t n, double lambda, Delta&& delta,
                                     std::vector<double>& decayed) {
    decayed.assign(n + 1, 0);  // H(i-1, j) for column j+1
    double sum = 0;
    for (std::size_t i = 0; i < m; ++i) {
        double above_left = 0;  // H(i-1, j-1)
        double along = 0;       // sum_{j'<=j} lambda^(j-j') G(i,j')
        for (std::size_t j = 0; j < n; ++j) {
            const double g = lambda * lambda * delta(i, j) * (1 + above_left);
            sum += g;
            along = lambda * along + g;
            above_left = decayed[j + 1];
            decayed[j + 1] = lambda * above_left + along;
        }
    }
    return sum;
}

template <typename Delta>
[[nodiscard]] double subsequence_sum(std::size_t m, std::size_t n, double lambda, Delta&& delta) {
    std::vector<double> decayed;
    return subsequence_sum(m, n, lambda, delta, decayed);
}

}  // namespace treeline::kernel
