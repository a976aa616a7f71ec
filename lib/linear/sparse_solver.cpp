#include "linear/sparse_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "linear/sparse_matrix.hpp"

namespace treeline::linear {

namespace {

constexpr std::size_t kPiece = 16384;
constexpr std::size_t kColumnPiece = 16;
constexpr std::size_t kMostSweeps = 20;
constexpr std::size_t kMostConjugateSteps = 1000;
/// Coordinate descent looks at columns without a weight whose score is above this.
constexpr double kNearScore = 0.9;
/// Sweeps end when one changes this part of what the first changed.
constexpr double kSweepEnough = 0.02;
/// A length is good enough when the slope there is at most this part of the slope at 0.
constexpr double kSlope = 0.05;
/// Part of the diagonal that is added to the Hessian, for columns that depend on each other.
constexpr double kDamping = 1e-10;
/// Rounds without a better point after which rounding is taken to be all that is left.
constexpr std::size_t kPatience = 8;

/// A step: changes of some weights and of the bias.
struct Direction {
    std::vector<std::uint32_t> columns;
    std::vector<double> changes;
    double bias = 0;
};

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

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
        solution_.dual = 0;
        compute_margins();
        minimize_bias();
        measure();
        double best_gap = solution_.gap();
        std::size_t rounds_without = 0;
        while (!enough() && solution_.rounds < options_.max_rounds && rounds_without < kPatience &&
               !(options_.cancelled && options_.cancelled())) {
            ++solution_.rounds;
            const double before = solution_.primal;
            select_weights();
            improve_weights();
            minimize_bias();
            measure();
            if (enough()) {
                compute_margins();
                measure();
            }
            const bool better = solution_.gap() < 0.99 * best_gap || solution_.primal < before * (1 - 1e-6);
            rounds_without = better ? 0 : rounds_without + 1;
            best_gap = std::min(best_gap, solution_.gap());
        }
        compute_margins();
        measure();
        solution_.converged = enough();
    }

  private:
    [[nodiscard]] bool enough() const {
        return solution_.primal - solution_.dual <= options_.gap * solution_.primal;
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
        solution_.dual = std::max(solution_.dual, dual_bound(problem_, balanced, largest, excess));
    }

    /// Coordinate descent on the quadratic model, then a step of the best length towards its end.
    void select_weights() {
        std::vector<std::uint32_t> chosen;
        for (std::size_t j = 0; j < weights_.size(); ++j) {
            if (weights_[j] != 0 || std::abs(solution_.scores[j]) > kNearScore) {
                chosen.push_back(static_cast<std::uint32_t>(j));
            }
        }
        const LocalModel model(problem_, columns_, solution_.margins, chosen);
        const std::vector<double> gradient = model.gradient();
        const std::vector<double> diagonal = model.diagonal();
        std::vector<double> margins(model.rows());
        std::vector<double> end(chosen.size());
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            end[k] = weights_[chosen[k]];
        }
        double bias = 0;
        std::vector<std::uint32_t> order(chosen.size());
        std::iota(order.begin(), order.end(), 0U);
        double first = 0;
        for (std::size_t sweep = 0; sweep < kMostSweeps; ++sweep) {
            random_.shuffle(std::span(order));
            double moved = 0;
            for (const std::uint32_t k : order) {
                const double here = end[k];
                const double smooth = gradient[k] + model.change_of_gradient(k, margins) + problem_.l2 * here;
                const double curvature = diagonal[k] * (1 + kDamping) + problem_.l2;
                const double there = coordinate(here, smooth, curvature);
                if (there != here) {
                    model.add(k, there - here, margins);
                    end[k] = there;
                    moved += (there - here) * (there - here) * curvature;
                }
            }
            if (diagonal.back() > 0) {
                const double step =
                    -(gradient.back() + model.change_of_gradient(model.columns(), margins)) / diagonal.back();
                model.add(model.columns(), step, margins);
                bias += step;
                moved += step * step * diagonal.back();
            }
            if (sweep == 0) {
                first = moved;
                std::erase_if(order,
                              [&](std::uint32_t k) { return end[k] == 0 && weights_[chosen[k]] == 0; });
            }
            if (moved <= kSweepEnough * kSweepEnough * first) {
                break;
            }
        }
        step_ = {.columns = {}, .changes = {}, .bias = bias};
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            if (end[k] != weights_[chosen[k]]) {
                step_.columns.push_back(chosen[k]);
                step_.changes.push_back(end[k] - weights_[chosen[k]]);
            }
        }
        take(prepare_and_search());
    }

    /// Minimum of smooth (z - here) + curvature/2 (z - here)^2 + |z|.
    [[nodiscard]] static double coordinate(double here, double smooth, double curvature) {
        if (curvature <= 0) {
            return 0;  // no row counts: the slope is 0 and the weight is only paid for
        }
        const double free = here - smooth / curvature;
        const double threshold = 1 / curvature;
        return free > threshold ? free - threshold : free < -threshold ? free + threshold : 0;
    }

    /// A Newton step over the weights that are not 0; those whose sign would change become 0.
    void improve_weights() {
        const std::vector<std::uint32_t> chosen = support();
        LocalModel model(problem_, columns_, solution_.margins, chosen);
        std::vector<double> gradient = model.gradient();
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            gradient[k] += sign(weights_[chosen[k]]) + problem_.l2 * weights_[chosen[k]];
        }
        const std::vector<double> newton = newton_direction(model, gradient);
        double first_zero = 1;  // part of the step at which the first weight is 0
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            if (newton[k] * weights_[chosen[k]] < 0) {
                first_zero = std::min(first_zero, -weights_[chosen[k]] / newton[k]);
            }
        }
        set_step(chosen, newton, 1);
        double length = prepare_and_search();
        if (first_zero < 1 && length < 0.1) {
            set_step(chosen, newton, first_zero);
            length = prepare_and_search();
        }
        take(length);
    }

    /// The step `part` times the direction, cut off where weights reach 0.
    void set_step(std::span<const std::uint32_t> chosen, std::span<const double> direction, double part) {
        step_ = {.columns = {chosen.begin(), chosen.end()}, .changes = {}, .bias = part * direction.back()};
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            const double here = weights_[chosen[k]];
            const double there = here + part * direction[k];
            step_.changes.push_back(there * here > 0 ? there - here : -here);
        }
    }

    /// Solves H d = -gradient by conjugate gradients, preconditioned with the diagonal.
    std::vector<double> newton_direction(LocalModel& model, const std::vector<double>& gradient) {
        const std::size_t size = gradient.size();
        std::vector<double> diagonal = model.diagonal();
        for (std::size_t k = 0; k + 1 < size; ++k) {
            diagonal[k] += problem_.l2;
        }
        const double tiny = 1e-300 + kDamping * *std::ranges::max_element(diagonal);
        for (double& d : diagonal) {
            d = std::max(d, tiny);
        }
        std::vector<double> direction(size);
        std::vector<double> residual(size);
        std::vector<double> solved(size);
        for (std::size_t i = 0; i < size; ++i) {
            residual[i] = -gradient[i];
            solved[i] = residual[i] / diagonal[i];
        }
        std::vector<double> search = solved;
        std::vector<double> product(size);
        double squared = std::inner_product(residual.begin(), residual.end(), solved.begin(), 0.0);
        const double tolerance = std::clamp(0.1 * std::sqrt(solution_.gap()), 1e-6, 1e-1);
        const double least = tolerance * tolerance * squared;
        for (std::size_t step = 0; step < kMostConjugateSteps && squared > least; ++step) {
            model.multiply(search, product);
            for (std::size_t i = 0; i < size; ++i) {
                product[i] += (kDamping * diagonal[i] + (i + 1 < size ? problem_.l2 : 0)) * search[i];
            }
            const double bend = std::inner_product(search.begin(), search.end(), product.begin(), 0.0);
            if (!(bend > 0)) {
                break;
            }
            const double length = squared / bend;
            for (std::size_t i = 0; i < size; ++i) {
                direction[i] += length * search[i];
                residual[i] -= length * product[i];
                solved[i] = residual[i] / diagonal[i];
            }
            const double before = squared;
            squared = std::inner_product(residual.begin(), residual.end(), solved.begin(), 0.0);
            for (std::size_t i = 0; i < size; ++i) {
                search[i] = solved[i] + squared / before * search[i];
            }
            ++solution_.conjugate_steps;
        }
        return direction;
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
            weight = length == 1 && step_.changes[k] == -weight ? 0 : there;
        }
        solution_.bias += length * step_.bias;
        base::parallel_pieces(changes_.size(), kPiece, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                solution_.margins[i] += length * changes_[i];
            }
        });
    }

    const SparseProblem& problem_;
    std::span<const SparseColumn* const> columns_;
    const SparseOptions& options_;
    SparseSolution& solution_;
    std::vector<double>& weights_;
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
