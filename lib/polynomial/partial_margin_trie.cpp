#include "polynomial/partial_margin_trie.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace treeline::polynomial {

PartialMarginTrie::PartialMarginTrie(const RowView& rows, std::uint32_t first_rank) : branches_(rows.size()) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
        const auto features = rows.row(row);
        branches_[row].own_from = static_cast<std::uint32_t>(
            std::lower_bound(features.begin(), features.end(), first_rank) - features.begin());
        if (branches_[row].own_from < features.size()) {
            order.push_back(row);
        }
    }
    // In lexicographic order a row shares its beginnings with the row before it.
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const auto x = rows.row(a);
        const auto y = rows.row(b);
        return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
    });
    std::vector<std::uint32_t> owners;  // of the nodes of the row before, from frequent to rare
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto features = rows.row(order[i]);
        const auto before = i > 0 ? rows.row(order[i - 1]) : features.first(0);
        const auto common = static_cast<std::uint32_t>(
            std::mismatch(features.begin(), features.end(), before.begin(), before.end()).first -
            features.begin());
        while (!owners.empty() && branches_[owners.back()].own_from >= common) {
            owners.pop_back();
        }
        Branch& branch = branches_[order[i]];
        if (!owners.empty()) {
            branch.parent = owners.back();
            branch.own_from = std::max(branch.own_from, common);
        }
        owners.push_back(order[i]);
    }
}

void PartialMarginTrie::make(std::size_t count) {
    if (count >= kNone - made_) {
        throw base::Error(
            "more than 4294967294 partial margins; train on fewer examples, or use splitting (sp)");
    }
    made_ += static_cast<std::uint32_t>(count);
    while (pieces_.size() * kPiece < made_) {
        pieces_.push_back(std::make_unique<Node[]>(kPiece));
    }
}

}  // namespace treeline::polynomial
