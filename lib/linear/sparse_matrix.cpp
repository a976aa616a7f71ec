#include "linear/sparse_matrix.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"

namespace treeline::linear {

namespace {

constexpr std::size_t kRowPiece = 32768;
constexpr std::size_t kLocalRows = 2048;
constexpr std::size_t kLocalColumns = 32;
constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void add_columns(std::span<const SparseColumn* const> columns, std::span<const std::uint32_t> chosen,
                 std::span<const double> factors, std::span<double> out) {
    base::parallel_pieces(out.size(), kRowPiece, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            const SparseColumn& column = *columns[chosen[k]];
            const auto first = std::ranges::lower_bound(column.rows, begin) - column.rows.begin();
            const std::size_t size = column.rows.size();
            const double factor = factors[k];
            for (auto i = static_cast<std::size_t>(first); i < size && column.rows[i] < end; ++i) {
                out[column.rows[i]] += factor * column.values[i];
            }
        }
    });
}

LocalModel::LocalModel(const SparseProblem& problem, std::span<const SparseColumn* const> columns,
                       std::span<const double> margins, std::span<const std::uint32_t> chosen) {
    std::vector<std::uint32_t> local(margins.size(), kNoRow);
    for (std::size_t i = 0; i < margins.size(); ++i) {
        const Loss loss = problem.loss_at(margins[i]);
        if (loss.curvature > 0) {
            local[i] = static_cast<std::uint32_t>(signs_.size());
            signs_.push_back(problem.labels[i]);
            slope_.push_back(problem.c * problem.costs[i] * loss.slope);
            curvature_.push_back(problem.c * problem.costs[i] * loss.curvature);
        }
    }
    starts_.assign(1, 0);
    for (const std::uint32_t j : chosen) {
        const SparseColumn& column = *columns[j];
        for (std::size_t k = 0; k < column.rows.size(); ++k) {
            const std::uint32_t row = local[column.rows[k]];
            if (row != kNoRow) {
                row_.push_back(row);
                value_.push_back(signs_[row] * column.values[k]);
            }
        }
        starts_.push_back(row_.size());
    }
}

std::vector<double> LocalModel::gradient() const {
    std::vector<double> out(dimension());
    base::parallel_pieces(columns(), kLocalColumns, [&](std::size_t begin, std::size_t end) {
        for (std::size_t j = begin; j < end; ++j) {
            for (std::size_t k = starts_[j]; k < starts_[j + 1]; ++k) {
                out[j] += value_[k] * slope_[row_[k]];
            }
        }
    });
    for (std::size_t i = 0; i < rows(); ++i) {
        out.back() += signs_[i] * slope_[i];
    }
    return out;
}

std::vector<double> LocalModel::diagonal() const {
    std::vector<double> out(dimension());
    for (std::size_t j = 0; j < columns(); ++j) {
        for (std::size_t k = starts_[j]; k < starts_[j + 1]; ++k) {
            out[j] += value_[k] * value_[k] * curvature_[row_[k]];
        }
    }
    for (const double curvature : curvature_) {
        out.back() += curvature;
    }
    return out;
}

double LocalModel::change_of_gradient(std::size_t column, std::span<const double> changes) const {
    double sum = 0;
    if (column == columns()) {
        for (std::size_t i = 0; i < rows(); ++i) {
            sum += signs_[i] * (curvature_[i] * changes[i]);
        }
        return sum;
    }
    for (std::size_t k = starts_[column]; k < starts_[column + 1]; ++k) {
        const std::uint32_t row = row_[k];
        sum += value_[k] * (curvature_[row] * changes[row]);
    }
    return sum;
}

void LocalModel::add(std::size_t column, double step, std::span<double> changes) const {
    if (column == columns()) {
        for (std::size_t i = 0; i < rows(); ++i) {
            changes[i] += step * signs_[i];
        }
        return;
    }
    for (std::size_t k = starts_[column]; k < starts_[column + 1]; ++k) {
        changes[row_[k]] += step * value_[k];
    }
}

void LocalModel::make_rows() {
    row_starts_.assign(rows() + 1, 0);
    for (const std::uint32_t row : row_) {
        ++row_starts_[row + 1];
    }
    for (std::size_t i = 0; i < rows(); ++i) {
        row_starts_[i + 1] += row_starts_[i];
    }
    column_.resize(row_.size());
    row_value_.resize(row_.size());
    std::vector<std::size_t> next(row_starts_.begin(), row_starts_.end() - 1);
    for (std::size_t j = 0; j < columns(); ++j) {
        for (std::size_t k = starts_[j]; k < starts_[j + 1]; ++k) {
            const std::size_t place = next[row_[k]]++;
            column_[place] = static_cast<std::uint32_t>(j);
            row_value_[place] = value_[k];
        }
    }
    products_.resize(rows());
}

void LocalModel::multiply(std::span<const double> v, std::span<double> out) {
    if (row_starts_.empty()) {
        make_rows();
    }
    const double bias = v[columns()];
    base::parallel_pieces(rows(), kLocalRows, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            double sum = signs_[i] * bias;
            for (std::size_t k = row_starts_[i]; k < row_starts_[i + 1]; ++k) {
                sum += row_value_[k] * v[column_[k]];
            }
            products_[i] = curvature_[i] * sum;
        }
    });
    base::parallel_pieces(columns(), kLocalColumns, [&](std::size_t begin, std::size_t end) {
        for (std::size_t j = begin; j < end; ++j) {
            double sum = 0;
            for (std::size_t k = starts_[j]; k < starts_[j + 1]; ++k) {
                sum += value_[k] * products_[row_[k]];
            }
            out[j] = sum;
        }
    });
    double sum = 0;
    for (std::size_t i = 0; i < rows(); ++i) {
        sum += signs_[i] * products_[i];
    }
    out[columns()] = sum;
}

}  // namespace treeline::linear
