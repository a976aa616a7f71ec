#include "linear/quadratic_model.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "linear/arithmetic.hpp"
#include "linear/symmetric_matrix.hpp"

namespace treeline::linear {

namespace {

constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();
/// Entries that a thread takes at a time: some ten microseconds of work.
constexpr std::size_t kEntries = 16384;
/// Sweeps of coordinate descent between Newton steps, and how often these alternate.
constexpr std::size_t kSweeps = 12;
constexpr std::size_t kMostTurns = 4;
constexpr std::size_t kMostConjugateSteps = 300;
/// The same while the tolerance is not below kFine: what is 0 and which rows have loss is not settled then.
constexpr std::size_t kMostRoughSteps = 30;
/// Where kMostConjugateSteps steps do not suffice for a tolerance below kFine, supports up to this size are factorized.
constexpr std::size_t kMostFactorized = 2500;
constexpr double kFine = 3e-3;
/// Part of the diagonal that is added to the Hessian, for columns that depend on each other.
constexpr double kDamping = 1e-11;

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
    const double beyond = std::abs(free) - threshold;
    return beyond > 0 && !is_cancelled(threshold, beyond) ? sign(free) * beyond : 0;
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
    fine_ = tolerance < kFine;
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
        newton_step(point, std::clamp(std::sqrt(tolerance * tolerance * first / moved), 1e-6, 0.1));
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
    std::vector<double> direction(gradient.size());
    const bool small = fine_ && support.size() <= kMostFactorized;
    if (hard_ && small && factorize(support, direction, gradient)) {
        return direction;
    }
    std::ranges::fill(direction, 0.0);
    if (!conjugate_gradients(support, direction, gradient, tolerance) && small && !hard_) {
        hard_ = true;
        return newton_direction(support, gradient, tolerance);
    }
    return direction;
}

bool QuadraticModel::factorize(std::span<const std::uint32_t> support, std::vector<double>& direction,
                               const std::vector<double>& gradient) {
    constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> place(columns(), kNone);
    for (std::size_t k = 0; k < support.size(); ++k) {
        place[support[k]] = static_cast<std::uint32_t>(k);
    }
    SymmetricMatrix hessian(support.size() + 1);
    const std::span<double> last = hessian.row(support.size());
    base::parallel_pieces(support.size(), 8, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const std::span<double> own = hessian.row(k);
            for (std::size_t e = starts_[support[k]]; e < starts_[support[k] + 1]; ++e) {
                const std::uint32_t row = row_[e];
                const double factor = value_[e] * curvature_[row];
                last[k] += factor * signs_[row];
                for (std::size_t f = row_starts_[row]; f < row_starts_[row + 1] && column_[f] <= support[k];
                     ++f) {
                    if (const std::uint32_t other = place[column_[f]]; other != kNone) {
                        own[other] += factor * row_value_[f];
                    }
                }
            }
            own[k] += l2_ + kDamping * diagonal_[support[k]];
        }
    });
    last.back() = diagonal_.back() * (1 + kDamping);
    if (!hessian.factorize()) {
        return false;
    }
    std::ranges::transform(gradient, direction.begin(), std::negate<>());
    hessian.solve(direction);
    return true;
}

bool QuadraticModel::conjugate_gradients(std::span<const std::uint32_t> support,
                                         std::vector<double>& direction, const std::vector<double>& gradient,
                                         double tolerance) {
    const std::size_t size = gradient.size();
    std::vector<double> diagonal(size, diagonal_.back());
    for (std::size_t k = 0; k < support.size(); ++k) {
        diagonal[k] = diagonal_[support[k]];
    }
    const double tiny = 1e-300 + kDamping * std::ranges::max(diagonal);
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
    const std::size_t most = fine_ ? kMostConjugateSteps : kMostRoughSteps;
    for (std::size_t step = 0; step < most && squared > least; ++step) {
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
    return squared <= least;
}

QuadraticModel::Segment QuadraticModel::segment(const ModelPoint& point,
                                                std::span<const std::uint32_t> support,
                                                std::span<const double> gradient,
                                                std::span<const double> direction, double part) {
    Segment segment{.step = std::vector<double>(direction.size()), .length = 0, .gain = 0};
    segment.step.back() = part * direction.back();
    for (std::size_t k = 0; k < support.size(); ++k) {
        const double here = point.weights[support[k]];
        const double there = here + part * direction[k];
        segment.step[k] = there * here > 0 ? there - here : -here;
    }
    const double slope = dot(gradient, segment.step);
    if (!(slope < 0)) {
        return segment;
    }
    multiply(support, segment.step);
    const std::span<const double> weights = std::span(segment.step).first(support.size());
    double bend = l2_ * dot(weights, weights);
    for (std::size_t i = 0; i < rows(); ++i) {
        bend += curvature_[i] * rows_product_[i] * rows_product_[i];
    }
    segment.length = -slope >= bend ? 1 : -slope / bend;
    segment.gain = -segment.length * (slope + segment.length * bend / 2);
    return segment;
}

void QuadraticModel::take(const Segment& segment, std::span<const std::uint32_t> support, ModelPoint& point) {
    multiply(support, segment.step);
    for (std::size_t k = 0; k < support.size(); ++k) {
        double& weight = point.weights[support[k]];
        const double there = weight + segment.length * segment.step[k];
        weight = is_cancelled(weight, there) ? 0 : there;
    }
    point.bias_change += segment.length * segment.step.back();
    for (std::size_t i = 0; i < rows(); ++i) {
        changes_[i] += segment.length * rows_product_[i];
    }
}

void QuadraticModel::newton_step(ModelPoint& point, double tolerance) {
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
    // Where columns all but depend on each other the direction is long and many weights would change their sign:
    // the best point is near where the first of them reaches 0.
    Segment best = segment(point, support, gradient, direction, 1);
    for (double part = 0.5; first_zero < 1 && part > first_zero / 2; part /= 2) {
        Segment other = segment(point, support, gradient, direction, std::max(part, first_zero));
        if (other.gain > best.gain) {
            best = std::move(other);
        }
    }
    if (best.gain > 0) {
        take(best, support, point);
    }
}

}  // namespace treeline::linear
