#include "svm/kernel_columns.hpp"

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"

namespace treeline::svm {

namespace {

/// Sums that stay in the processor's cache while the columns go by.
constexpr std::size_t kGrain = 1024;

}  // namespace

void sum_columns(std::span<const double> weights, std::span<const float* const> columns,
                 std::span<double> out) {
    base::parallel_pieces(out.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        std::ranges::fill(out.subspan(begin, end - begin), 0.0);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const double weight = weights[k];
            const float* const column = columns[k];
            for (std::size_t i = begin; weight != 0 && i < end; ++i) {
                out[i] += weight * static_cast<double>(column[i]);
            }
        }
    });
}

KernelColumns::KernelColumns(const TrainingData& data, std::uint64_t memory)
    : data_(data), space_(data.kernel, data.forest, data.examples, kernel::Precision::kSingle), all_(space_) {
    const std::uint64_t matrix = RowCache<float>::bytes_of_rows(data.subset.size(), data.subset.size());
    if (matrix <= memory) {
        rows_.emplace(data, matrix);
        rows_->add_targets(data.subset);
    } else {
        space_.prepare(data.subset);
        all_.append(data.subset);
    }
}

void KernelColumns::sum(std::span<const kernel::WeightedExample> x, std::span<double> out) {
    if (rows_) {
        sum_rows(x, out);
        return;
    }
    std::vector<kernel::WeightedExample> in_set(x.begin(), x.end());
    std::ranges::for_each(in_set,
                          [&](kernel::WeightedExample& item) { item.example = data_.subset[item.example]; });
    all_.at_targets(in_set, out);
}

void KernelColumns::sum_rows(std::span<const kernel::WeightedExample> x, std::span<double> out) {
    std::vector<std::uint32_t> examples;
    std::ranges::transform(x, std::back_inserter(examples),
                           [&](const kernel::WeightedExample& item) { return data_.subset[item.example]; });
    rows_->prefetch(examples);
    std::vector<const float*> rows;
    std::ranges::transform(examples, std::back_inserter(rows),
                           [&](std::uint32_t example) { return rows_->row(example); });
    std::vector<double> weights;
    std::ranges::transform(x, std::back_inserter(weights), &kernel::WeightedExample::weight);
    sum_columns(weights, rows, out);
}

}  // namespace treeline::svm
