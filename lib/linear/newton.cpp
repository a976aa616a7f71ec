#include "linear/newton.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "linear/arithmetic.hpp"
#include "linear/loss.hpp"

namespace treeline::linear {

namespace {

constexpr std::size_t kPiece = 8192;  ///< rows or features that a thread takes at a time
constexpr std::size_t kMostLanes = 32;
constexpr std::size_t kMostSteps = 1000;
constexpr std::size_t kMostConjugateSteps = 1000;
/// A direction is good enough when its residual is this part of the gradient.
constexpr double kResidual = 0.5;
/// A length is good enough when the slope there is at most this part of the slope at 0.
constexpr double kSlope = 0.1;

/// Sums that are added lane by lane, each lane a fixed part of the rows: so many that threads have enough to
/// do, so few that adding them up costs little beside the rows.
std::size_t lane_count(std::uint64_t entries, std::uint64_t dimension) {
    return std::clamp<std::size_t>(entries / (4 * dimension + 1), 1, kMostLanes);
}

double length_of(std::span<const double> v) { return std::sqrt(dot(v, v)); }

/// The rows of a problem, with the constant feature, as a matrix.
class Matrix {
  public:
    Matrix(const LinearProblem& problem, double bias)
        : rows_(problem.rows),
          features_(problem.features),
          bias_(bias),
          lanes_(lane_count(problem.entries(), dimension()), std::vector<double>(dimension())) {}

    [[nodiscard]] std::size_t dimension() const { return features_ + (bias_ >= 0 ? 1 : 0); }

    /// x . v
    [[nodiscard]] double dot(std::size_t row, std::span<const double> v) const {
        const std::uint32_t* index = rows_[row].indices.data();
        const float* value = rows_[row].values.data();
        const std::size_t size = rows_[row].indices.size();
        double sum[4] = {bias_ >= 0 ? bias_ * v[features_] : 0, 0, 0, 0};
        std::size_t i = 0;
        for (; i + 4 <= size; i += 4) {
            sum[0] += v[index[i]] * static_cast<double>(value[i]);
            sum[1] += v[index[i + 1]] * static_cast<double>(value[i + 1]);
            sum[2] += v[index[i + 2]] * static_cast<double>(value[i + 2]);
            sum[3] += v[index[i + 3]] * static_cast<double>(value[i + 3]);
        }
        for (; i < size; ++i) {
            sum[0] += v[index[i]] * static_cast<double>(value[i]);
        }
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }

    /// out += factor x, or factor times the squares of x.
    template <bool squared = false>
    void add(std::size_t row, double factor, std::span<double> out) const {
        const auto indices = rows_[row].indices;
        const auto values = rows_[row].values;
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const double value = static_cast<double>(values[i]);
            out[indices[i]] += factor * (squared ? value * value : value);
        }
        if (bias_ >= 0) {
            out[features_] += factor * (squared ? bias_ * bias_ : bias_);
        }
    }

    /// out += sum over `rows` of what `body(row, sums)` adds to sums.
    template <typename Body>
    void add_rows(std::span<const std::uint32_t> rows, std::span<double> out, const Body& body) {
        const std::size_t grain = rows.size() / lanes_.size() + 1;
        base::parallel_pieces(rows.size(), grain, [&](std::size_t begin, std::size_t end) {
            std::vector<double>& lane = lanes_[begin / grain];
            std::ranges::fill(lane, 0.0);
            for (const std::uint32_t row : rows.subspan(begin, end - begin)) {
                body(row, std::span<double>(lane));
            }
        });
        const std::size_t used = (rows.size() + grain - 1) / grain;
        base::parallel_pieces(out.size(), kPiece, [&](std::size_t begin, std::size_t end) {
            for (std::size_t lane = 0; lane < used; ++lane) {
                for (std::size_t i = begin; i < end; ++i) {
                    out[i] += lanes_[lane][i];
                }
            }
        });
    }

  private:
    std::span<const SparseRow> rows_;
    std::size_t features_;
    double bias_;
    std::vector<std::vector<double>> lanes_;
};

/// One column of the model: one class against the rest.
class Column {
  public:
    Column(Matrix& matrix, std::vector<std::int8_t> signs, std::vector<double> costs, bool is_logistic,
           std::vector<double> start)
        : matrix_(matrix),
          signs_(std::move(signs)),
          costs_(std::move(costs)),
          is_logistic_(is_logistic),
          weights_(std::move(start)),
          margins_(signs_.size()),
          changes_(signs_.size()) {}

    /// Returns whether it converged within the most steps.
    bool train(double epsilon, NewtonReport& report, base::ProgressObserver& observer) {
        std::vector<double> gradient = gradient_here();
        const double enough = epsilon * length_of(gradient);
        const bool starts_elsewhere = std::ranges::any_of(weights_, [](double w) { return w != 0; });
        if (starts_elsewhere) {
            multiply(weights_, margins_);
            gradient = gradient_here();
        }
        const auto note_excess = [&] {
            report.excess = std::max(report.excess, length_of(gradient) / enough);
        };
        for (std::size_t step = 0; step < kMostSteps; ++step) {
            if (length_of(gradient) <= enough) {
                return true;
            }
            const std::vector<double> direction = newton_direction(gradient, report.conjugate_steps);
            multiply(direction, changes_);
            const double length = search_length(direction);
            if (length == 0) {
                note_excess();
                return false;
            }
            for (std::size_t i = 0; i < weights_.size(); ++i) {
                weights_[i] += length * direction[i];
            }
            base::parallel_pieces(margins_.size(), kPiece, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    margins_[i] += length * changes_[i];
                }
            });
            gradient = gradient_here();
            observer.update(++report.steps);
        }
        note_excess();
        return false;
    }

    [[nodiscard]] const std::vector<double>& weights() const { return weights_; }

  private:
    [[nodiscard]] Loss loss(double margin) const {
        return is_logistic_ ? logistic(margin) : squared_hinge(margin);
    }

    /// out_i = y_i x_i . v
    void multiply(std::span<const double> v, std::vector<double>& out) const {
        base::parallel_pieces(out.size(), kPiece, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                out[i] = signs_[i] * matrix_.dot(i, v);
            }
        });
    }

    /// The gradient at the margins; finds the rows with loss on the way.
    std::vector<double> gradient_here() {
        active_.clear();
        for (std::size_t i = 0; i < margins_.size(); ++i) {
            if (is_logistic_ || margins_[i] < 1) {
                active_.push_back(static_cast<std::uint32_t>(i));
            }
        }
        std::vector<double> gradient = weights_;
        matrix_.add_rows(active_, gradient, [&](std::uint32_t row, std::span<double> sums) {
            matrix_.add(row, costs_[row] * loss(margins_[row]).slope * signs_[row], sums);
        });
        return gradient;
    }

    [[nodiscard]] double curvature(std::uint32_t row) const {
        return costs_[row] * loss(margins_[row]).curvature;
    }

    /// Solves H d = -gradient so well that the residual is kResidual of the gradient.
    std::vector<double> newton_direction(const std::vector<double>& gradient, std::size_t& steps) {
        const std::size_t size = gradient.size();
        std::vector<double> diagonal(size, 1.0);
        matrix_.add_rows(active_, diagonal, [&](std::uint32_t row, std::span<double> sums) {
            matrix_.add<true>(row, curvature(row), sums);
        });
        std::vector<double> direction(size);
        std::vector<double> residual(size);
        std::vector<double> solved(size);
        for (std::size_t i = 0; i < size; ++i) {
            residual[i] = -gradient[i];
            solved[i] = residual[i] / diagonal[i];
        }
        std::vector<double> search = solved;
        std::vector<double> product(size);
        double squared = linear::dot(residual, solved);
        const double enough = kResidual * kResidual * squared;
        for (std::size_t step = 0; step < kMostConjugateSteps && squared > enough; ++step) {
            product = search;
            matrix_.add_rows(active_, product, [&](std::uint32_t row, std::span<double> sums) {
                matrix_.add(row, curvature(row) * matrix_.dot(row, search), sums);
            });
            const double length = squared / linear::dot(search, product);
            for (std::size_t i = 0; i < size; ++i) {
                direction[i] += length * search[i];
                residual[i] -= length * product[i];
                solved[i] = residual[i] / diagonal[i];
            }
            const double before = squared;
            squared = linear::dot(residual, solved);
            for (std::size_t i = 0; i < size; ++i) {
                search[i] = solved[i] + squared / before * search[i];
            }
            ++steps;
        }
        return direction;
    }

    /// The loss along the direction: sums of C (value, slope, curvature) at margins + length * changes.
    [[nodiscard]] Loss loss_along(double length) const {
        std::vector<Loss> sums((margins_.size() + kPiece - 1) / kPiece);
        base::parallel_pieces(margins_.size(), kPiece, [&](std::size_t begin, std::size_t end) {
            Loss& sum = sums[begin / kPiece];
            for (std::size_t i = begin; i < end; ++i) {
                const Loss one = loss(margins_[i] + length * changes_[i]);
                sum.value += costs_[i] * one.value;
                sum.slope += costs_[i] * one.slope * changes_[i];
                sum.curvature += costs_[i] * one.curvature * changes_[i] * changes_[i];
            }
        });
        Loss all{0, 0, 0};
        for (const Loss& sum : sums) {
            all = {all.value + sum.value, all.slope + sum.slope, all.curvature + sum.curvature};
        }
        return all;
    }

    /// How far to go: Newton steps on the convex function of the length, kept between the bounds known.
    /// 0 if rounding leaves nothing to gain.
    [[nodiscard]] double search_length(const std::vector<double>& direction) const {
        const double along = linear::dot(weights_, direction);
        const double square = linear::dot(direction, direction);
        const auto at = [&](double length) {
            const Loss loss = loss_along(length);
            return Loss{length * along + length * length / 2 * square + loss.value,
                        along + length * square + loss.slope, square + loss.curvature};
        };
        const Loss here = at(0);
        double low = 0;
        double high = 0;  // unknown as long as it is 0
        double length = 1;
        for (int tries = 0; tries < 60; ++tries) {
            const Loss there = at(length);
            if (std::abs(there.slope) <= kSlope * std::abs(here.slope) && there.value < here.value) {
                return length;
            }
            (there.slope > 0 || there.value >= here.value ? high : low) = length;
            length -= there.slope / there.curvature;
            if (high > 0 && !(length > low && length < high)) {
                length = (low + high) / 2;
            }
        }
        return low;
    }

    Matrix& matrix_;
    std::vector<std::int8_t> signs_;
    std::vector<double> costs_;
    bool is_logistic_;
    std::vector<double> weights_;
    std::vector<double> margins_;  ///< y_i w . x_i
    std::vector<double> changes_;  ///< y_i d . x_i
    std::vector<std::uint32_t> active_;
};

}  // namespace

bool has_newton(LinearSolver solver) {
    return solver == LinearSolver::kL2rL2lossSvc || solver == LinearSolver::kL2rLr;
}

std::uint64_t newton_bytes(std::uint64_t rows, std::uint64_t entries, std::uint64_t features) {
    // Sign, cost, margin, change, number and place of a row; lanes and a few vectors.
    return rows * (1 + 3 * sizeof(double) + sizeof(std::uint32_t) + sizeof(SparseRow)) +
           (lane_count(entries, features) + 8) * features * sizeof(double);
}

LinearModel train_newton(const LinearProblem& problem, const LinearOptions& options, NewtonReport& report,
                         base::ProgressObserver& observer) {
    validate(options);
    validate(problem);
    LinearModel model = starting_model(problem, options);
    const std::size_t columns = model.columns();
    Matrix matrix(problem, model.bias);
    report = {};
    observer.start("Newton steps", 0);
    for (std::size_t column = 0; column < columns; ++column) {
        const auto own = static_cast<std::uint32_t>(*find_label(problem.labels, model.labels[column]));
        const std::vector<double> class_cost = class_costs(problem, options, model, column);
        std::vector<std::int8_t> signs(problem.rows.size());
        std::vector<double> costs(problem.rows.size());
        for (std::size_t i = 0; i < signs.size(); ++i) {
            signs[i] = problem.classes[i] == own ? 1 : -1;
            costs[i] = class_cost[problem.classes[i]] * problem.weight(i);
        }
        const auto positives = static_cast<std::size_t>(std::ranges::count(signs, 1));
        const std::size_t fewer = std::max<std::size_t>(1, std::min(positives, signs.size() - positives));
        const double epsilon = options.epsilon.value_or(default_epsilon(options.solver)) *
                               static_cast<double>(fewer) / static_cast<double>(signs.size());
        std::vector<double> weights(matrix.dimension());
        for (std::size_t i = 0; i < weights.size(); ++i) {
            weights[i] = model.weights[i * columns + column];
        }
        Column one(matrix, std::move(signs), std::move(costs), model.is_logistic(), std::move(weights));
        report.converged = one.train(epsilon, report, observer) && report.converged;
        for (std::size_t i = 0; i < one.weights().size(); ++i) {
            model.weights[i * columns + column] = one.weights()[i];
        }
    }
    observer.finish();
    return model;
}

}  // namespace treeline::linear
