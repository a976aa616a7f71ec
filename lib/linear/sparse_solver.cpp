#include "linear/sparse_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "linear/arithmetic.hpp"
#include "linear/quadratic_model.hpp"

namespace treeline::linear {

namespace {

constexpr std::size_t kPiece = 16384;
constexpr std::size_t kColumnPiece = 16;
constexpr std::size_t kRowPiece = 32768;
/// The model has the columns without a weight whose score is above this.
constexpr double kNearScore = 0.9;
/// A length is good enough when the slope there is at most this part of the slope at 0.
constexpr double kSlope = 0.05;
/// Rounds without a better point after which rounding is taken to be all that is left.
constexpr std::size_t kPatience = 8;
/// Without a start, C grows by this factor from where the first weights appear; so many rounds each.
constexpr double kGrowth = 4;
constexpr std::size_t kRoundsOnTheWay = 2;

/// A step: changes of some weights and of the bias.
struct Direction {
    std::vector<std::uint32_t> columns;
    std::vector<double> changes;
    double bias = 0;
};

/// out_i += sum_k factors[k] x_i,chosen[k], row by row in the order of `chosen`.
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

class Solver {
  public:
    Solver(const SparseProblem& problem, std::span<const SparseColumn* const> columns,
           const SparseOptions& options, SparseSolution& solution)
        : problem_(problem),
          columns_(columns),
          options_(options),
          solution_(solution),
          weights_(solution.weights) {}

    void run() {
        weights_.resize(columns_.size());
        solution_.rounds = 0;
        solution_.conjugate_steps = 0;
        compute_margins();
        minimize_bias();
        measure();
        if (std::ranges::all_of(weights_, [](double w) { return w == 0; })) {
            approach();
        }
        descend(options_.gap, options_.max_rounds);
        compute_margins();
        measure();
        solution_.converged = enough(options_.gap);
    }

  private:
    [[nodiscard]] bool enough(double gap) const {
        return solution_.primal - solution_.dual <= gap * solution_.primal;
    }

    [[nodiscard]] bool cancelled() const { return options_.cancelled && options_.cancelled(); }

    /// From weights 0: the problem for some smaller C, roughly, which leaves few rows and columns to sort out later.
    void approach() {
        double largest = 0;
        for (const double score : solution_.scores) {
            largest = std::max(largest, std::abs(score));
        }
        const double c = problem_.c;
        for (double factor = kGrowth / largest; factor * kGrowth < 1 && !cancelled(); factor *= kGrowth) {
            problem_.c = factor * c;
            dual_ = 0;
            minimize_bias();
            measure();
            descend(0.01, kRoundsOnTheWay);
        }
        problem_.c = c;
        dual_ = 0;
        minimize_bias();
        measure();
    }

    void descend(double gap, std::size_t rounds) {
        double best_gap = solution_.gap();
        std::size_t rounds_without = 0;
        for (std::size_t round = 0;
             round < rounds && !enough(gap) && rounds_without < kPatience && !cancelled(); ++round) {
            ++solution_.rounds;
            const double before = solution_.primal;
            newton_step();
            minimize_bias();
            measure();
            if (enough(gap)) {
                compute_margins();
                measure();
            }
            const bool better = solution_.gap() < 0.99 * best_gap || solution_.primal < before * (1 - 1e-6);
            rounds_without = better ? 0 : rounds_without + 1;
            best_gap = std::min(best_gap, solution_.gap());
        }
    }

    [[nodiscard]] std::vector<std::uint32_t> support() const {
        std::vector<std::uint32_t> chosen;
        for (std::size_t j = 0; j < weights_.size(); ++j) {
            if (weights_[j] != 0) {
                chosen.push_back(static_cast<std::uint32_t>(j));
            }
        }
        return chosen;
    }

    void compute_margins() {
        const std::vector<std::uint32_t> chosen = support();
        std::vector<double> factors;
        for (const std::uint32_t j : chosen) {
            factors.push_back(weights_[j]);
        }
        solution_.margins.assign(problem_.rows(), solution_.bias);
        add_columns(columns_, chosen, factors, solution_.margins);
        for (std::size_t i = 0; i < problem_.rows(); ++i) {
            solution_.margins[i] *= problem_.labels[i];
        }
    }

    /// The bias that is best for the weights, by Newton steps on the convex function of it.
    void minimize_bias() {
        step_ = {};
        step_.bias = 1;
        changes_.assign(problem_.labels.begin(), problem_.labels.end());
        double low = -std::numeric_limits<double>::infinity();
        double high = std::numeric_limits<double>::infinity();
        double shift = 0;
        for (int tries = 0; tries < 100; ++tries) {
            const Loss here = loss_along(shift);
            if (here.slope == 0 || here.curvature == 0) {
                break;
            }
            (here.slope > 0 ? high : low) = shift;
            double next = shift - here.slope / here.curvature;
            if (!(next > low && next < high)) {
                if (!std::isfinite(low) || !std::isfinite(high)) {
                    break;
                }
                next = low + (high - low) / 2;
            }
            const double moved = std::abs(next - shift);
            shift = next;
            if (moved <= 1e-15 * std::max(1.0, std::abs(shift + solution_.bias))) {
                break;
            }
        }
        take(shift);
    }

    /// Dual variables, scores of all columns and the objective values at the weights.
    void measure() {
        solution_.theta = dual_variables(problem_, solution_.margins);
        std::vector<double> balanced = solution_.theta;
        balance(problem_, balanced);
        solution_.scores.resize(columns_.size());
        std::vector<double> sizes(columns_.size());
        base::parallel_pieces(columns_.size(), kColumnPiece, [&](std::size_t begin, std::size_t end) {
            for (std::size_t j = begin; j < end; ++j) {
                solution_.scores[j] = dual_score(problem_, *columns_[j], solution_.theta);
                sizes[j] = std::abs(dual_score(problem_, *columns_[j], balanced));
            }
        });
        double largest = 0;
        double excess = 0;
        for (const double size : sizes) {
            largest = std::max(largest, size);
            excess += size > 1 ? (size - 1) * (size - 1) : 0;
        }
        solution_.primal = sparse_primal(problem_, weights_, solution_.margins);
        dual_ = std::max(dual_, dual_bound(problem_, balanced, largest, excess));
        solution_.dual = dual_;
    }

    /// Minimizes the quadratic model, and goes the best part of the way there.
    void newton_step() {
        std::vector<std::uint32_t> chosen;
        ModelPoint point;
        for (std::size_t j = 0; j < weights_.size(); ++j) {
            if (weights_[j] != 0 || std::abs(solution_.scores[j]) > kNearScore) {
                chosen.push_back(static_cast<std::uint32_t>(j));
                point.weights.push_back(weights_[j]);
            }
        }
        QuadraticModel model(problem_, columns_, solution_.margins, chosen);
        model.minimize(point, std::clamp(0.3 * solution_.gap(), 1e-7, 1e-1), random_);
        solution_.conjugate_steps += model.products();
        step_ = {.columns = {}, .changes = {}, .bias = point.bias_change};
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            if (point.weights[k] != weights_[chosen[k]]) {
                step_.columns.push_back(chosen[k]);
                step_.changes.push_back(point.weights[k] - weights_[chosen[k]]);
            }
        }
        take(prepare_and_search());
    }

    /// The loss along the step: sums of C_i (value, slope, curvature) at a length.
    [[nodiscard]] Loss loss_along(double length) const {
        std::vector<Loss> sums((changes_.size() + kPiece - 1) / kPiece, Loss{0, 0, 0});
        base::parallel_pieces(changes_.size(), kPiece, [&](std::size_t begin, std::size_t end) {
            Loss sum{0, 0, 0};
            for (std::size_t i = begin; i < end; ++i) {
                const Loss one = problem_.loss_at(solution_.margins[i] + length * changes_[i]);
                const double cost = problem_.costs[i];
                sum.value += cost * one.value;
                sum.slope += cost * one.slope * changes_[i];
                sum.curvature += cost * one.curvature * changes_[i] * changes_[i];
            }
            sums[begin / kPiece] = sum;
        });
        Loss all{0, 0, 0};
        for (const Loss& sum : sums) {
            all = {all.value + sum.value, all.slope + sum.slope, all.curvature + sum.curvature};
        }
        return {problem_.c * all.value, problem_.c * all.slope, problem_.c * all.curvature};
    }

    /// The slope of the objective along the step, from the left for lengths above 0, from the right at 0.
    [[nodiscard]] double slope_along(double length) const {
        double slope = loss_along(length).slope;
        for (std::size_t k = 0; k < step_.columns.size(); ++k) {
            const double change = step_.changes[k];
            const double weight = weights_[step_.columns[k]];
            const double there = weight + length * change;
            const double before =
                length > 0 ? (there != 0 ? there : -change) : (weight != 0 ? weight : change);
            slope += change * (sign(before) + problem_.l2 * there);
        }
        return slope;
    }

    /// Works out how the step changes the margins, and how far to go: at most 1, 0 if it leads nowhere.
    double prepare_and_search() {
        changes_.assign(problem_.rows(), step_.bias);
        add_columns(columns_, step_.columns, step_.changes, changes_);
        for (std::size_t i = 0; i < changes_.size(); ++i) {
            changes_[i] *= problem_.labels[i];
        }
        const double start = slope_along(0);
        if (!(start < 0)) {
            return 0;
        }
        double low = 0;
        double low_slope = start;
        double high = 1;
        double high_slope = slope_along(1);
        if (high_slope <= -kSlope * start) {
            return 1;
        }
        for (int tries = 0; tries < 60; ++tries) {
            const double part = std::clamp(low_slope / (low_slope - high_slope), 0.02, 0.98);
            const double length = low + part * (high - low);
            const double slope = slope_along(length);
            if (std::abs(slope) <= -kSlope * start) {
                return length;
            }
            (slope > 0 ? high : low) = length;
            (slope > 0 ? high_slope : low_slope) = slope;
            // The other end counts half, so that both move.
            (slope > 0 ? low_slope : high_slope) /= 2;
        }
        return low;
    }

    /// Goes `length` along the step.
    void take(double length) {
        if (length == 0) {
            return;
        }
        for (std::size_t k = 0; k < step_.columns.size(); ++k) {
            double& weight = weights_[step_.columns[k]];
            const double there = weight + length * step_.changes[k];
            weight = is_cancelled(weight, there) ? 0 : there;
        }
        solution_.bias += length * step_.bias;
        base::parallel_pieces(changes_.size(), kPiece, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                solution_.margins[i] += length * changes_[i];
            }
        });
    }

    SparseProblem problem_;
    std::span<const SparseColumn* const> columns_;
    const SparseOptions& options_;
    SparseSolution& solution_;
    std::vector<double>& weights_;
    double dual_ = 0;  ///< the largest value of the dual for the C at hand
    Direction step_;
    std::vector<double> changes_;  ///< of the margins along the whole step
    base::Random random_{1};
};

}  // namespace

void solve_sparse(const SparseProblem& problem, std::span<const SparseColumn* const> columns,
                  const SparseOptions& options, SparseSolution& solution) {
    validate(problem);
    Solver(problem, columns, options, solution).run();
}

}  // namespace treeline::linear
