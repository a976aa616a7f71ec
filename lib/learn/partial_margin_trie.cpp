#include "learn/partial_margin_trie.hpp"

#include <algorithm>
#include <numeric>

namespace treeline::learn {

PartialMarginTrie::PartialMarginTrie(const RowView& rows, std::uint32_t first_rank) {
    const std::size_t count = rows.size();
    const auto tracked = [&](std::size_t row) {
        const auto features = rows.row(row);
        return static_cast<std::size_t>(features.end() -
                                        std::lower_bound(features.begin(), features.end(), first_rank));
    };
    last_.resize(count);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < count; ++i) {
        total += tracked(i);
        last_[i] = total;
    }
    node_of_.resize(total);

    // In lexicographic order a row shares its beginnings with the row before it.
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const auto x = rows.row(a);
        const auto y = rows.row(b);
        return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
    });
    std::uint32_t nodes = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t row = order[i];
        const auto features = rows.row(row);
        std::size_t common = 0;
        if (i > 0) {
            const auto before = rows.row(order[i - 1]);
            common = static_cast<std::size_t>(
                std::mismatch(features.begin(), features.end(), before.begin(), before.end()).first -
                features.begin());
        }
        for (std::size_t position = features.size() - tracked(row); position < features.size(); ++position) {
            std::uint32_t& own = node_of_[last_[row] - (features.size() - position)];
            if (position < common) {
                const std::uint32_t previous = order[i - 1];
                own = node_of_[last_[previous] - (rows.row(previous).size() - position)];
            } else {
                own = nodes++;
            }
        }
    }
    nodes_.resize(nodes);
}

}  // namespace treeline::learn
