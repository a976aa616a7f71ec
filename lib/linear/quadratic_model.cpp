#include "linear/quadratic_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"

namespace treeline::linear {

namespace {

constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();
/// Entries that a thread takes at a time: some ten microseconds of work.
constexpr std::size_t kEntries = 16384;
/// Sweeps of coordinate descent between conjugate gradients, and how often these alternate.
constexpr std::size_t kSweeps = 12;
constexpr std::size_t kMostTurns = 4;
constexpr std::size_t kMostConjugateSteps = 400;
/// Part of the diagonal that is added to the Hessian, for columns that depend on each other.
constexpr double kDamping = 1e-11;

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Rows or columns that have about kEntries entries.
std::size_t grain(std::size_t count, std::size_t entries) {
    return std::max<std::size_t>(1, count * kEntries / (entries + count + 1));
}

/// Minimum of slope (z - here) + curvature/2 (z - here)^2 + |z|.
double best_coordinate(double here, double slope, double curvature) {
    if (curvature <= 0) {
        return 0;  // no row counts: the slope is 0 and the weight is only paid for
    }
    const double free = here - slope / curvature;
    const double threshold = 1 / curvature;
    return free > threshold ? free - threshold : free < -threshold ? free + threshold : 0;
}

}  // namespace

QuadraticModel::QuadraticModel(const SparseProblem& problem, std::span<const SparseColumn* const> columns,
                               std::span<const double> margins, std::span<const std::uint32_t> chosen)
    : l2_(problem.l2) {
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
    changes_.resize(rows());
    rows_product_.resize(rows());
    wide_.resize(chosen.size());
    diagonal_ = diagonal();
}

std::vector<double> QuadraticModel::diagonal() const {
    std::vector<double> out(columns() + 1);
    for (std::size_t j = 0; j < columns(); ++j) {
        for (std::size_t k = starts_[j]; k < starts_[j + 1]; ++k) {
            out[j] += value_[k] * value_[k] * curvature_[row_[k]];
        }
        out[j] += l2_;
    }
    out.back() = std::accumulate(curvature_.begin(), curvature_.end(), 0.0);
    return out;
}

double QuadraticModel::slope_of(std::size_t column) const {
    double sum = 0;
    if (column == columns()) {
        for (std::size_t i = 0; i < rows(); ++i) {
            sum += signs_[i] * (slope_[i] + curvature_[i] * changes_[i]);
        }
        return sum;
    }
    for (std::size_t k = starts_[column]; k < starts_[column + 1]; ++k) {
        const std::uint32_t row = row_[k];
        sum += value_[k] * (slope_[row] + curvature_[row] * changes_[row]);
    }
    return sum;
}

void QuadraticModel::change(std::size_t column, double step) {
    if (column == columns()) {
        for (std::size_t i = 0; i < rows(); ++i) {
            changes_[i] += step * signs_[i];
        }
        return;
    }
    for (std::size_t k = starts_[column]; k < starts_[column + 1]; ++k) {
        changes_[row_[k]] += step * value_[k];
    }
}

double QuadraticModel::sweep(std::span<const std::uint32_t> order, ModelPoint& point) {
    double moved = 0;
    for (const std::uint32_t k : order) {
        const double here = point.weights[k];
        const double there = best_coordinate(here, slope_of(k) + l2_ * here, diagonal_[k]);
        if (there != here) {
            change(k, there - here);
            point.weights[k] = there;
            moved += (there - here) * (there - here) * diagonal_[k];
        }
    }
    if (diagonal_.back() > 0) {
        const double step = -slope_of(columns()) / diagonal_.back();
        change(columns(), step);
        point.bias_change += step;
        moved += step * step * diagonal_.back();
    }
    return moved;
}

void QuadraticModel::minimize(ModelPoint& point, double tolerance, base::Random& random) {
    std::vector<std::uint32_t> all(columns());
    std::iota(all.begin(), all.end(), 0U);
    std::vector<std::uint32_t> order;
    double first = 0;
    for (std::size_t turn = 0; turn < kMostTurns; ++turn) {
        random.shuffle(std::span(all));
        double moved = sweep(all, point);
        first = std::max(first, moved);
        if (moved <= tolerance * tolerance * first) {
            return;
        }
        order = all;
        std::erase_if(order, [&](std::uint32_t k) { return point.weights[k] == 0; });
        for (std::size_t k = 0; k < kSweeps && moved > tolerance * tolerance * first / 4; ++k) {
            random.shuffle(std::span(order));
            moved = sweep(order, point);
        }
        conjugate_step(point, tolerance);
    }
}

void QuadraticModel::make_rows() {
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
}

void QuadraticModel::multiply(std::span<const std::uint32_t> support, std::span<const double> v) {
    for (std::size_t k = 0; k < support.size(); ++k) {
        wide_[support[k]] = v[k];
    }
    const double bias = v.back();
    base::parallel_pieces(rows(), grain(rows(), row_.size()), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            double sum = signs_[i] * bias;
            for (std::size_t k = row_starts_[i]; k < row_starts_[i + 1]; ++k) {
                sum += row_value_[k] * wide_[column_[k]];
            }
            rows_product_[i] = sum;
        }
    });
}

std::vector<double> QuadraticModel::newton_direction(std::span<const std::uint32_t> support,
                                                     const std::vector<double>& gradient, double tolerance) {
    const std::size_t size = gradient.size();
    std::vector<double> diagonal(size, diagonal_.back());
    for (std::size_t k = 0; k < support.size(); ++k) {
        diagonal[k] = diagonal_[support[k]];
    }
    const double tiny = 1e-300 + kDamping * std::ranges::max(diagonal);
    std::vector<double> direction(size);
    std::vector<double> residual(size);
    std::vector<double> solved(size);
    for (std::size_t k = 0; k < size; ++k) {
        diagonal[k] = std::max(diagonal[k], tiny);
        residual[k] = -gradient[k];
        solved[k] = residual[k] / diagonal[k];
    }
    std::vector<double> search = solved;
    std::vector<double> product(size);
    double squared = dot(residual, solved);
    const double least = tolerance * tolerance * squared;
    for (std::size_t step = 0; step < kMostConjugateSteps && squared > least; ++step) {
        multiply(support, search);
        double sum = 0;
        for (std::size_t i = 0; i < rows(); ++i) {
            rows_product_[i] *= curvature_[i];
            sum += signs_[i] * rows_product_[i];
        }
        product.back() = sum + kDamping * diagonal.back() * search.back();
        base::parallel_pieces(
            support.size(), grain(columns(), row_.size()), [&](std::size_t begin, std::size_t end) {
                for (std::size_t k = begin; k < end; ++k) {
                    double entry = (l2_ + kDamping * diagonal[k]) * search[k];
                    for (std::size_t e = starts_[support[k]]; e < starts_[support[k] + 1]; ++e) {
                        entry += value_[e] * rows_product_[row_[e]];
                    }
                    product[k] = entry;
                }
            });
        const double bend = dot(search, product);
        if (!(bend > 0)) {
            break;
        }
        const double length = squared / bend;
        for (std::size_t k = 0; k < size; ++k) {
            direction[k] += length * search[k];
            residual[k] -= length * product[k];
            solved[k] = residual[k] / diagonal[k];
        }
        const double before = squared;
        squared = dot(residual, solved);
        for (std::size_t k = 0; k < size; ++k) {
            search[k] = solved[k] + squared / before * search[k];
        }
        ++products_done_;
    }
    return direction;
}

double QuadraticModel::step_towards(ModelPoint& point, std::span<const std::uint32_t> support,
                                    std::span<const double> gradient, std::span<const double> direction,
                                    double part) {
    std::vector<double> step(direction.size());
    step.back() = part * direction.back();
    for (std::size_t k = 0; k < support.size(); ++k) {
        const double here = point.weights[support[k]];
        const double there = here + part * direction[k];
        step[k] = there * here > 0 ? there - here : -here;
    }
    const double slope = dot(gradient, step);
    if (!(slope < 0)) {
        return 0;
    }
    multiply(support, step);
    double bend = l2_ * dot(std::span(step).first(support.size()), std::span(step).first(support.size()));
    for (std::size_t i = 0; i < rows(); ++i) {
        bend += curvature_[i] * rows_product_[i] * rows_product_[i];
    }
    const double length = -slope >= bend ? 1 : -slope / bend;
    for (std::size_t k = 0; k < support.size(); ++k) {
        double& weight = point.weights[support[k]];
        weight = length == 1 && step[k] == -weight ? 0 : weight + length * step[k];
    }
    point.bias_change += length * step.back();
    for (std::size_t i = 0; i < rows(); ++i) {
        changes_[i] += length * rows_product_[i];
    }
    return length;
}

void QuadraticModel::conjugate_step(ModelPoint& point, double tolerance) {
    if (row_starts_.empty()) {
        make_rows();
    }
    std::vector<std::uint32_t> support;
    std::ranges::fill(wide_, 0.0);
    for (std::size_t j = 0; j < columns(); ++j) {
        if (point.weights[j] != 0) {
            support.push_back(static_cast<std::uint32_t>(j));
        }
    }
    std::vector<double> gradient;
    double first_zero = 1;  // part of the step at which the first weight is 0
    for (const std::uint32_t j : support) {
        gradient.push_back(slope_of(j) + l2_ * point.weights[j] + sign(point.weights[j]));
    }
    gradient.push_back(slope_of(columns()));
    const std::vector<double> direction = newton_direction(support, gradient, tolerance);
    for (std::size_t k = 0; k < support.size(); ++k) {
        if (direction[k] * point.weights[support[k]] < 0) {
            first_zero = std::min(first_zero, -point.weights[support[k]] / direction[k]);
        }
    }
    if (step_towards(point, support, gradient, direction, 1) == 0 && first_zero < 1) {
        step_towards(point, support, gradient, direction, first_zero);
    }
}

}  // namespace treeline::linear
