#include "svm/dual_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace treeline::svm {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Least curvature that a step divides by: equal points have none.
constexpr double kLeastCurvature = 1e-12;
constexpr std::uint64_t kAskEvery = 1000;

/// The variables as columns, those at work in front.
template <typename T>
class DualSolver {
  public:
    DualSolver(std::span<DualVariable> variables, std::span<const double> diagonal, DualRows<T>& rows,
               const DualSolverOptions& options, const std::function<bool(std::uint64_t, double)>& stop)
        : variables_(variables), rows_(rows), options_(options), stop_(stop), active_(variables.size()) {
        const std::size_t size = variables.size();
        order_.resize(size);
        std::iota(order_.begin(), order_.end(), 0U);
        for (std::size_t k = 0; k < size; ++k) {
            const DualVariable& v = variables[k];
            position_.push_back(rows.position(v.example));
            value_.push_back(v.value);
            gradient_.push_back(v.gradient);
            diagonal_.push_back(diagonal[k]);
            grow_.push_back(0);
            fall_.push_back(0);
            mark(k);
        }
    }

    DualSolverReport solve() {
        std::uint64_t next_shrink = shrink_interval();
        measure();
        while (true) {
            if (report_.gap <= options_.epsilon) {
                if (active_ == size()) {
                    break;
                }
                restore();
                measure();
                next_shrink = report_.iterations + shrink_interval();
                continue;
            }
            if (options_.shrink && report_.iterations >= next_shrink) {
                shrink();
                next_shrink = report_.iterations + shrink_interval();
            }
            if (report_.iterations % kAskEvery == 0 && stop_ && stop_(report_.iterations, report_.gap)) {
                report_.stopped = true;
                break;
            }
            if (!(options_.bias ? step_of_two() : step_of_one())) {
                // The gap left is below what doubles can resolve.
                if (active_ == size()) {
                    break;
                }
                restore();
                measure();
                continue;
            }
            ++report_.iterations;
        }
        if (active_ < size()) {
            restore();
            measure();
        }
        for (std::size_t k = 0; k < size(); ++k) {
            variables_[order_[k]].value = value_[k];
            variables_[order_[k]].gradient = gradient_[k];
        }
        return report_;
    }

  private:
    [[nodiscard]] std::size_t size() const { return order_.size(); }
    [[nodiscard]] const DualVariable& variable(std::size_t k) const { return variables_[order_[k]]; }
    [[nodiscard]] std::uint64_t shrink_interval() const { return std::min<std::uint64_t>(size(), 1000); }

    /// Notes whether a variable can grow and fall, as terms that leave its gradient alone or rule it out.
    void mark(std::size_t k) {
        grow_[k] = value_[k] < variable(k).high ? 0 : -kInfinity;
        fall_[k] = value_[k] > variable(k).low ? 0 : kInfinity;
    }

    void look_at(std::size_t k) {
        if (const double g = gradient_[k] + grow_[k]; g > report_.highest) {
            report_.highest = g;
            best_ = k;
        }
        report_.lowest = std::min(report_.lowest, gradient_[k] + fall_[k]);
    }
    void start_looking() {
        report_.highest = -kInfinity;
        report_.lowest = kInfinity;
        best_ = size();
    }
    void stop_looking() {
        if (options_.bias) {
            report_.gap = best_ == size() || report_.lowest == kInfinity
                              ? 0
                              : std::max(0.0, report_.highest - report_.lowest);
        } else {
            report_.gap = std::max({0.0, report_.highest, -report_.lowest});
        }
    }
    void measure() {
        start_looking();
        for (std::size_t k = 0; k < active_; ++k) {
            look_at(k);
        }
        stop_looking();
    }

    /// The variable that can grow with the largest gradient, and the one that can fall which together with it
    /// gains most.
    bool step_of_two() {
        const std::size_t i = best_;
        const T* row_i = rows_.row(variable(i).example);
        const double g_i = gradient_[i];
        const double diagonal_i = diagonal_[i];
        std::size_t j = size();
        double best_gain = 0;
        for (std::size_t k = 0; k < active_; ++k) {
            const double difference = g_i - (gradient_[k] + fall_[k]);
            if (difference > 0) {
                const double curvature =
                    std::max(diagonal_i + diagonal_[k] - 2 * static_cast<double>(row_i[position_[k]]),
                             kLeastCurvature);
                const double gain = difference * difference / curvature;
                if (gain > best_gain) {
                    best_gain = gain;
                    j = k;
                }
            }
        }
        if (j == size()) {
            return false;
        }
        const double room_i = variable(i).high - value_[i];
        const double room_j = value_[j] - variable(j).low;
        const double curvature = std::max(
            diagonal_i + diagonal_[j] - 2 * static_cast<double>(row_i[position_[j]]), kLeastCurvature);
        const double step = std::min({(g_i - gradient_[j]) / curvature, room_i, room_j});
        value_[i] = step == room_i ? variable(i).high : value_[i] + step;
        value_[j] = step == room_j ? variable(j).low : value_[j] - step;
        mark(i);
        mark(j);
        const T* row_j = rows_.row(variable(j).example);
        start_looking();
        for (std::size_t k = 0; k < active_; ++k) {
            const std::uint32_t at = position_[k];
            gradient_[k] -= step * (static_cast<double>(row_i[at]) - static_cast<double>(row_j[at]));
            look_at(k);
        }
        stop_looking();
        return true;
    }

    /// The variable whose step alone gains most.
    bool step_of_one() {
        std::size_t i = size();
        double best_gain = 0;
        double best_step = 0;
        for (std::size_t k = 0; k < active_; ++k) {
            const double step = std::clamp(gradient_[k] / std::max(diagonal_[k], kLeastCurvature),
                                           variable(k).low - value_[k], variable(k).high - value_[k]);
            const double gain = step * (gradient_[k] - step * diagonal_[k] / 2);
            if (gain > best_gain) {
                best_gain = gain;
                best_step = step;
                i = k;
            }
        }
        if (i == size()) {
            return false;
        }
        const DualVariable& v = variable(i);
        value_[i] = best_step == v.high - value_[i]  ? v.high
                    : best_step == v.low - value_[i] ? v.low
                                                     : value_[i] + best_step;
        mark(i);
        const T* row = rows_.row(v.example);
        start_looking();
        for (std::size_t k = 0; k < active_; ++k) {
            gradient_[k] -= best_step * static_cast<double>(row[position_[k]]);
            look_at(k);
        }
        stop_looking();
        return true;
    }

    /// Puts variables aside that cannot fall and are drawn to grow, or the other way round, more than any
    /// pair at work is.
    void shrink() {
        const double high = options_.bias ? report_.highest : std::max(0.0, -report_.lowest);
        const double low = options_.bias ? report_.lowest : std::min(0.0, -report_.highest);
        for (std::size_t k = active_; k-- > 0;) {
            const bool held_high = grow_[k] != 0 && gradient_[k] > high;
            const bool held_low = fall_[k] != 0 && gradient_[k] < low;
            if (held_high || held_low) {
                swap_variables(k, --active_);
            }
        }
        measure();
    }

    void swap_variables(std::size_t a, std::size_t b) {
        std::swap(order_[a], order_[b]);
        std::swap(position_[a], position_[b]);
        std::swap(value_[a], value_[b]);
        std::swap(gradient_[a], gradient_[b]);
        std::swap(diagonal_[a], diagonal_[b]);
        std::swap(grow_[a], grow_[b]);
        std::swap(fall_[a], fall_[b]);
    }

    /// Brings all variables back with gradients made up from the kernel.
    void restore() {
        std::vector<DualVariable> support;
        for (std::size_t k = 0; k < size(); ++k) {
            if (value_[k] != 0) {
                support.push_back(variable(k));
                support.back().value = value_[k];
            }
        }
        std::vector<std::uint32_t> examples;
        for (std::size_t k = active_; k < size(); ++k) {
            examples.push_back(variable(k).example);
        }
        std::vector<double> sums(examples.size());
        rows_.sums(support, examples, sums);
        for (std::size_t k = active_; k < size(); ++k) {
            gradient_[k] = variable(k).y - sums[k - active_];
        }
        active_ = size();
    }

    std::span<DualVariable> variables_;
    DualRows<T>& rows_;
    DualSolverOptions options_;
    const std::function<bool(std::uint64_t, double)>& stop_;
    DualSolverReport report_;

    std::size_t active_;
    std::size_t best_ = 0;
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> position_;
    std::vector<double> value_;
    std::vector<double> gradient_;
    std::vector<double> diagonal_;
    std::vector<double> grow_;
    std::vector<double> fall_;
};

}  // namespace

template <typename T>
DualSolverReport solve_dual(std::span<DualVariable> variables, std::span<const double> diagonal,
                            DualRows<T>& rows, const DualSolverOptions& options,
                            const std::function<bool(std::uint64_t, double)>& stop) {
    return DualSolver<T>(variables, diagonal, rows, options, stop).solve();
}

template DualSolverReport solve_dual(std::span<DualVariable>, std::span<const double>, DualRows<float>&,
                                     const DualSolverOptions&,
                                     const std::function<bool(std::uint64_t, double)>&);
template DualSolverReport solve_dual(std::span<DualVariable>, std::span<const double>, DualRows<double>&,
                                     const DualSolverOptions&,
                                     const std::function<bool(std::uint64_t, double)>&);

}  // namespace treeline::svm
