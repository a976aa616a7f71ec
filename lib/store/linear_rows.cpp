#include "store/linear_rows.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace treeline::store {

namespace {

/// Class numbers of a batch's labels; of labels that no row has, 0.
std::vector<std::uint32_t> class_numbers(const VectorsBatch& batch, const example::ClassSet& classes) {
    std::vector<std::uint32_t> numbers;
    for (const std::string& name : batch.label_names) {
        numbers.push_back(classes.find(name).value_or(0));
    }
    return numbers;
}

linear::SparseRow sparse(const VectorRow& row) { return {row.indices, row.values}; }

/// What one batch adds to the picture of all.
struct BatchSummary {
    std::vector<std::string> labels;  ///< that rows have
    std::uint64_t features = 0;
    std::uint64_t entries = 0;
    std::map<std::uint64_t, std::size_t> block_rows;  ///< by id over kBlockIds

    explicit BatchSummary(const VectorsBatch& batch) : entries(batch.indices.size()) {
        std::vector<bool> used(batch.label_names.size());
        for (std::size_t i = 0; i < batch.size(); ++i) {
            used[static_cast<std::size_t>(batch.label_codes[i])] = true;
            ++block_rows[batch.ids[i] / LinearRows::kBlockIds];
        }
        for (std::size_t code = 0; code < used.size(); ++code) {
            if (used[code]) {
                labels.push_back(batch.label_names[code]);
            }
        }
        for (const std::uint32_t index : batch.indices) {
            features = std::max(features, std::uint64_t{index} + 1);
        }
    }
};

/// A row among several batches.
struct Located {
    std::uint64_t id;
    std::size_t batch;
    std::size_t row;
};

/// Appends the rows to a problem.
void add_rows(std::span<const Located> order, std::span<const VectorsBatch> batches,
              const example::ClassSet& classes, linear::LinearProblem& problem) {
    std::vector<std::vector<std::uint32_t>> numbers;
    for (const VectorsBatch& batch : batches) {
        numbers.push_back(class_numbers(batch, classes));
    }
    problem.rows.reserve(order.size());
    problem.classes.reserve(order.size());
    for (const Located& place : order) {
        const VectorsBatch& batch = batches[place.batch];
        problem.rows.push_back(sparse(batch.row(place.row)));
        problem.classes.push_back(
            numbers[place.batch][static_cast<std::size_t>(batch.label_codes[place.row])]);
        if (!batch.weights.empty()) {
            problem.weights.push_back(batch.weights[place.row]);
        }
    }
}

}  // namespace

LinearRows::LinearRows(const std::string& path) : files_(open_vectors(path)) {
    for (const VectorsFile& file : files_) {
        for (std::size_t number = 0; number < file.batch_count(); ++number) {
            batches_.push_back({.file = &file, .number = number});
        }
    }
    std::vector<std::optional<BatchSummary>> summaries(batches_.size());
    base::parallel_pieces(batches_.size(), 1, [&](std::size_t i, std::size_t) {
        Batch& place = batches_[i];
        const VectorsBatch batch = place.file->batch(place.number);
        place.rows = batch.size();
        if (place.rows > 0) {
            place.first_id = batch.ids.front();
            place.last_id = batch.ids.back();
        }
        summaries[i].emplace(batch);
    });
    std::vector<std::string> labels;
    std::map<std::uint64_t, std::size_t> block_rows;
    head_.features = info().fragments;
    for (std::size_t i = 0; i < summaries.size(); ++i) {
        const BatchSummary& summary = *summaries[i];
        labels.insert(labels.end(), summary.labels.begin(), summary.labels.end());
        head_.features = std::max(head_.features, summary.features);
        entries_ += summary.entries;
        rows_ += batches_[i].rows;
        for (const auto& [block, rows] : summary.block_rows) {
            block_rows[block] += rows;
        }
    }
    for (const auto& [block, rows] : block_rows) {
        blocks_.push_back({block * kBlockIds, rows});
    }
    classes_ = example::ClassSet(labels);
    head_.labels = classes_.names();
}

linear::LinearProblem LinearRows::load() {
    std::vector<Located> order;
    kept_.resize(batches_.size());
    base::parallel_pieces(batches_.size(), 1, [&](std::size_t i, std::size_t) {
        kept_[i] = batches_[i].file->batch(batches_[i].number);
    });
    order.reserve(rows_);
    for (std::size_t batch = 0; batch < kept_.size(); ++batch) {
        for (std::size_t row = 0; row < kept_[batch].size(); ++row) {
            order.push_back({kept_[batch].ids[row], batch, row});
        }
    }
    std::ranges::stable_sort(order, {}, &Located::id);
    linear::LinearProblem problem = head_;
    add_rows(order, kept_, classes_, problem);
    return problem;
}

const linear::LinearProblem& IdBlocks::block(std::size_t number) {
    const std::uint64_t first = rows_.blocks()[number].first_id;
    const std::uint64_t last = first + (LinearRows::kBlockIds - 1);
    held_.clear();
    std::vector<Located> order;
    for (const LinearRows::Batch& place : rows_.batches()) {
        if (place.rows > 0 && place.first_id <= last && place.last_id >= first) {
            const VectorsBatch& batch = held_.emplace_back(place.file->batch(place.number));
            const auto begin = std::ranges::lower_bound(batch.ids, first) - batch.ids.begin();
            const auto end = std::ranges::upper_bound(batch.ids, last) - batch.ids.begin();
            for (std::ptrdiff_t row = begin; row < end; ++row) {
                const auto at = static_cast<std::size_t>(row);
                order.push_back({batch.ids[at], held_.size() - 1, at});
            }
        }
    }
    std::ranges::stable_sort(order, {}, &Located::id);
    problem_.rows.clear();
    problem_.classes.clear();
    problem_.weights.clear();
    add_rows(order, held_, rows_.classes(), problem_);
    return problem_;
}

}  // namespace treeline::store
