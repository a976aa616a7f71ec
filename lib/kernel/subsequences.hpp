#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/description.hpp"

namespace treeline::kernel {

/// How pairs of child subsequences are weighed: `decay` for every child skipped in either of them, `pair` for every
/// pair of children in them (lambda^2 where the whole span decays); those longer than `longest` are left out.
struct SubsequenceRule {
    double decay = 1;
    double pair = 1;
    std::size_t longest = 0;  ///< 0: any length

    explicit SubsequenceRule(const TreeKernel& kernel)
        : decay(kernel.lambda),
          pair(kernel.child_factor() * kernel.child_factor()),
          longest(kernel.longest) {}
    /// Subsequences of m and n children (or of at most so many pairs) are all short enough.
    [[nodiscard]] bool spares(std::size_t m, std::size_t n) const {
        return longest == 0 || std::min(m, n) <= longest;
    }
};

/// Sum over all pairs of equally long, non-empty child subsequences of decay^(gaps1 + gaps2) pair^length times the
/// product of delta(i, j) over the paired children: sum_p S_p of DESIGN section 3, for all lengths p at once.
///
/// With G(i,j) the share of the pairs that end at children i and j,
///   G(i,j) = pair delta(i,j) (1 + H(i-1,j-1)),   H(i,j) = sum_{i'<=i, j'<=j} decay^((i-i')+(j-j')) G(i',j').
/// Sums of non-negative terms only, so nothing cancels. O(m n) time, O(n) space.
template <typename Delta>
[[nodiscard]] double sum_of_all_lengths(std::size_t m, std::size_t n, const SubsequenceRule& rule,
                                        Delta&& delta, std::vector<double>& decayed) {
    decayed.assign(n + 1, 0);  // H(i-1, j) for column j+1
    double sum = 0;
    for (std::size_t i = 0; i < m; ++i) {
        double above_left = 0;  // H(i-1, j-1)
        double along = 0;       // sum_{j'<=j} decay^(j-j') G(i,j')
        for (std::size_t j = 0; j < n; ++j) {
            const double g = rule.pair * delta(i, j) * (1 + above_left);
            sum += g;
            along = rule.decay * along + g;
            above_left = decayed[j + 1];
            decayed[j + 1] = rule.decay * above_left + along;
        }
    }
    return sum;
}

/// The same for lengths up to rule.longest, with G and H by length: G_q(i,j) = pair delta(i,j) H_(q-1)(i-1,j-1), where
/// H_0 is 1. O(m n longest) time, O(n longest) space.
template <typename Delta>
[[nodiscard]] double sum_of_short_lengths(std::size_t m, std::size_t n, const SubsequenceRule& rule,
                                          Delta&& delta, std::vector<double>& decayed) {
    const std::size_t lengths = rule.longest;
    decayed.assign((n + 2) * lengths, 0);  // H_q(i-1, j) at j lengths + q-1; two rows more
    double* const along = decayed.data() + n * lengths;
    double* const above_left = along + lengths;
    double sum = 0;
    for (std::size_t i = 0; i < m; ++i) {
        std::fill_n(along, 2 * lengths, 0.0);
        for (std::size_t j = 0; j < n; ++j) {
            const double here = rule.pair * delta(i, j);
            double* const above = decayed.data() + j * lengths;
            double shorter = 1;
            for (std::size_t q = 0; q < lengths; ++q) {
                const double g = here * shorter;
                sum += g;
                along[q] = rule.decay * along[q] + g;
                shorter = above_left[q];
                above_left[q] = above[q];
                above[q] = rule.decay * above[q] + along[q];
            }
        }
    }
    return sum;
}

/// The sum that the rule asks for.
template <typename Delta>
[[nodiscard]] double subsequence_sum(std::size_t m, std::size_t n, const SubsequenceRule& rule, Delta&& delta,
                                     std::vector<double>& decayed) {
    return rule.spares(m, n) ? sum_of_all_lengths(m, n, rule, delta, decayed)
                             : sum_of_short_lengths(m, n, rule, delta, decayed);
}

template <typename Delta>
[[nodiscard]] double subsequence_sum(std::size_t m, std::size_t n, const SubsequenceRule& rule,
                                     Delta&& delta) {
    std::vector<double> decayed;
    return subsequence_sum(m, n, rule, delta, decayed);
}

}  // namespace treeline::kernel
