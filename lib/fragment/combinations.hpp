#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace treeline::fragment {

/// Calls visit(span of k ascending numbers below n) for each choice of k out of n, in lexicographic order; 1
/// <= k <= n.
template <typename Visit>
void for_each_combination(std::size_t n, std::size_t k, Visit&& visit) {
    std::vector<std::size_t> chosen(k);
    for (std::size_t i = 0; i < k; ++i) {
        chosen[i] = i;
    }
    while (true) {
        visit(std::span<const std::size_t>(chosen));
        std::size_t i = k;
        while (i > 0 && chosen[i - 1] == n - k + (i - 1)) {
            --i;
        }
        if (i == 0) {
            return;
        }
        ++chosen[i - 1];
        for (std::size_t j = i; j < k; ++j) {
            chosen[j] = chosen[j - 1] + 1;
        }
    }
}

}  // namespace treeline::fragment
