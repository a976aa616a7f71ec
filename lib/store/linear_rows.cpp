#include "store/linear_rows.hpp"

#include <algorithm>
#include <numeric>
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

    explicit BatchSummary(const VectorsBatch& batch) : entries(batch.indices.size()) {
        std::vector<bool> used(batch.label_names.size());
        for (std::size_t i = 0; i < batch.size(); ++i) {
            used[static_cast<std::size_t>(batch.label_codes[i])] = true;
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

}  // namespace

LinearRows::LinearRows(const std::string& path) : files_(open_vectors(path)) {
    const auto all = batches();
    std::vector<std::optional<BatchSummary>> summaries(all.size());
    batch_rows_.resize(all.size());
    base::parallel_pieces(all.size(), 1, [&](std::size_t i, std::size_t) {
        const VectorsBatch batch = all[i].first->batch(all[i].second);
        batch_rows_[i] = batch.size();
        summaries[i].emplace(batch);
    });
    rows_ = std::accumulate(batch_rows_.begin(), batch_rows_.end(), std::uint64_t{0});
    std::vector<std::string> labels;
    head_.features = info().fragments;
    for (const auto& summary : summaries) {
        labels.insert(labels.end(), summary->labels.begin(), summary->labels.end());
        head_.features = std::max(head_.features, summary->features);
        entries_ += summary->entries;
    }
    classes_ = example::ClassSet(labels);
    head_.labels = classes_.names();
}

std::vector<std::pair<const VectorsFile*, std::size_t>> LinearRows::batches() const {
    std::vector<std::pair<const VectorsFile*, std::size_t>> batches;
    for (const VectorsFile& file : files_) {
        for (std::size_t number = 0; number < file.batch_count(); ++number) {
            batches.emplace_back(&file, number);
        }
    }
    return batches;
}

linear::LinearProblem LinearRows::load() {
    struct Located {
        std::uint64_t id;
        std::size_t batch;
        std::size_t row;
    };
    std::vector<Located> order;
    std::vector<std::vector<std::uint32_t>> numbers;
    const auto all = batches();
    kept_.resize(all.size());
    base::parallel_pieces(all.size(), 1,
                          [&](std::size_t i, std::size_t) { kept_[i] = all[i].first->batch(all[i].second); });
    order.reserve(rows_);
    for (std::size_t batch = 0; batch < kept_.size(); ++batch) {
        numbers.push_back(class_numbers(kept_[batch], classes_));
        for (std::size_t row = 0; row < kept_[batch].size(); ++row) {
            order.push_back({kept_[batch].ids[row], batch, row});
        }
    }
    std::ranges::stable_sort(order, {}, &Located::id);
    linear::LinearProblem problem = head_;
    problem.rows.reserve(order.size());
    problem.classes.reserve(order.size());
    for (const Located& place : order) {
        const VectorsBatch& batch = kept_[place.batch];
        problem.rows.push_back(sparse(batch.row(place.row)));
        problem.classes.push_back(
            numbers[place.batch][static_cast<std::size_t>(batch.label_codes[place.row])]);
        if (has_weights()) {
            problem.weights.push_back(batch.weights[place.row]);
        }
    }
    return problem;
}

BatchBlocks::BatchBlocks(const LinearRows& rows)
    : batches_(rows.batches()), sizes_(rows.batch_rows()), problem_(rows.head()), classes_(&rows.classes()) {}

const linear::LinearProblem& BatchBlocks::block(std::size_t number) {
    batch_ = batches_[number].first->batch(batches_[number].second);
    const std::vector<std::uint32_t> numbers = class_numbers(batch_, *classes_);
    problem_.rows.clear();
    problem_.classes.clear();
    problem_.weights.assign(batch_.weights.begin(), batch_.weights.end());
    for (std::size_t row = 0; row < batch_.size(); ++row) {
        problem_.rows.push_back(sparse(batch_.row(row)));
        problem_.classes.push_back(numbers[static_cast<std::size_t>(batch_.label_codes[row])]);
    }
    return problem_;
}

}  // namespace treeline::store
