#include "sparse/column_pool.hpp"

#include <algorithm>
#include <limits>

namespace treeline::sparse {

namespace {

constexpr ColumnId kNone = std::numeric_limits<ColumnId>::max();

std::uint64_t hash_of(fragment::FragmentView fragment) {
    std::uint64_t hash = fragment.size();
    for (const fragment::FragmentNode& node : fragment) {
        hash = tree::mix_hash(hash, std::uint64_t{raw(node.label)} << 32 | node.children);
    }
    return hash;
}

std::size_t bytes_of(const linear::SparseColumn& column) {
    return column.rows.capacity() * sizeof(std::uint32_t) + column.values.capacity() * sizeof(double);
}

}  // namespace

ColumnId ColumnPool::intern(fragment::FragmentView fragment) {
    const std::uint64_t hash = hash_of(fragment);
    const std::uint32_t found = table_.find(
        hash, [&](std::uint32_t number) { return std::ranges::equal(fragments_[number], fragment); });
    if (found != tree::IdHashTable::kNone) {
        return of_fragment_[found];
    }
    const auto id = static_cast<ColumnId>(features_.size());
    const auto number = static_cast<std::uint32_t>(fragments_.size());
    table_.insert(hash, number);
    fragments_.add(fragment);
    of_fragment_.push_back(id);
    columns_.emplace_back();
    features_.push_back({number});
    return id;
}

ColumnId ColumnPool::intern_flat(std::uint32_t flat) {
    of_flat_.resize(rows_->flat().size(), kNone);
    if (of_flat_[flat] == kNone) {
        of_flat_[flat] = static_cast<ColumnId>(features_.size());
        features_.push_back({flat, true, true});
    }
    return of_flat_[flat];
}

std::optional<fragment::FragmentView> ColumnPool::fragment(ColumnId id) const {
    const Feature& feature = features_[id];
    return feature.flat ? std::nullopt : std::optional(fragments_[feature.number]);
}

std::uint32_t ColumnPool::flat_feature(ColumnId id) const {
    return rows_->flat()[features_[id].number].feature;
}

void ColumnPool::make(std::span<const ColumnId> ids) {
    fragment::FragmentList missing;
    std::vector<ColumnId> missing_ids;
    for (const ColumnId id : ids) {
        if (!features_[id].made) {
            missing.add(fragments_[features_[id].number]);
            missing_ids.push_back(id);
            features_[id].made = true;
        }
    }
    std::vector<fragment::FragmentColumn> made = rows_->trees().columns(missing);
    for (std::size_t i = 0; i < made.size(); ++i) {
        linear::SparseColumn& column = columns_[features_[missing_ids[i]].number];
        column.rows = std::move(made[i].rows);
        column.values = std::move(made[i].values);
        bytes_ += bytes_of(column);
    }
}

const linear::SparseColumn* ColumnPool::column(ColumnId id) const {
    const Feature& feature = features_[id];
    return feature.flat ? &rows_->flat()[feature.number].column : &columns_[feature.number];
}

void ColumnPool::drop(ColumnId id) {
    Feature& feature = features_[id];
    if (!feature.flat && feature.made) {
        bytes_ -= bytes_of(columns_[feature.number]);
        columns_[feature.number] = {};
        feature.made = false;
    }
}

}  // namespace treeline::sparse
