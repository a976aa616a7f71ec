#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/names.hpp"
#include "linear/loss.hpp"

namespace treeline::linear {

enum class SparseLoss {
    kSquaredHinge,  ///< max(0, 1 - m)^2
    kLogistic,      ///< log(1 + exp(-m))
};

inline constexpr base::NameTable<SparseLoss, 2> kSparseLossNames{{
    {SparseLoss::kSquaredHinge, "squared-hinge"},
    {SparseLoss::kLogistic, "logistic"},
}};

/// The values of one feature: those that are not 0, rows ascending.
struct SparseColumn {
    std::vector<std::uint32_t> rows;
    std::vector<double> values;
};

/// Everything but the features of
///     minimize  ||w||_1 + l2/2 ||w||_2^2 + C sum_i c_i loss(y_i (w.x_i + b))   over w and b.
/// Its dual, with s_f = sum_i y_i theta_i x_if:
///     maximize  sum_i g_i(theta_i) - sum_f max(0, |s_f| - 1)^2 / (2 l2),   sum_i y_i theta_i = 0,
/// where l2 = 0 means |s_f| <= 1 for every f, and with C_i = C c_i
///     squared hinge:  g_i(theta) = theta - theta^2 / (4 C_i),                                    theta >= 0
///     logistic:       g_i(theta) = -C_i (u log u + (1 - u) log(1 - u)),  u = theta / C_i,   0 <= theta <= C_i.
/// At the optimum theta_i = -C_i loss'(m_i), m_i = y_i (w.x_i + b).
struct SparseProblem {
    std::span<const double> labels;  ///< y_i: 1 or -1, both occur
    std::span<const double> costs;   ///< c_i, above 0
    double c = 1;                    ///< C, above 0
    double l2 = 0;                   ///< 0 or more
    SparseLoss loss = SparseLoss::kSquaredHinge;

    [[nodiscard]] std::size_t rows() const { return labels.size(); }
    [[nodiscard]] Loss loss_at(double margin) const {
        return loss == SparseLoss::kLogistic ? logistic(margin) : squared_hinge(margin);
    }
};

/// The objective at weights and the margins that they give.
[[nodiscard]] double sparse_primal(const SparseProblem& problem, std::span<const double> weights,
                                   std::span<const double> margins);

/// theta_i = -C_i loss'(m_i).
[[nodiscard]] std::vector<double> dual_variables(const SparseProblem& problem,
                                                 std::span<const double> margins);

/// Makes sum_i y_i theta_i = 0 by lowering all theta of the heavier side by one factor, which keeps them
/// within their bounds.
void balance(const SparseProblem& problem, std::span<double> theta);

/// sum_i y_i theta_i x_i.
[[nodiscard]] double dual_score(const SparseProblem& problem, const SparseColumn& column,
                                std::span<const double> theta);

/// sum_i g_i(scale theta_i), the part of the dual that knows no features; scale in (0, 1].
[[nodiscard]] double sparse_dual(const SparseProblem& problem, std::span<const double> theta,
                                 double scale = 1);

/// The factor in (0, 1] that makes theta, balanced, a point of the dual where `largest` is at least every |s_f| of it: the best
/// one for the squared hinge, the largest for logistic loss.
[[nodiscard]] double dual_scale(const SparseProblem& problem, std::span<const double> theta, double largest);

/// How far the optimum theta* of the dual can be from a point theta of it whose value is at most `distance` below that of the optimum:
///     sum_i (theta*_i - theta_i)^2 / c_i <= radius^2,   radius = sqrt(4 C distance) (squared hinge), sqrt(C distance / 2) (logistic).
/// Proof. Let D be the dual's objective, l2 > 0 included, on the convex set of its points, and d = theta - theta*. g_i'' is
/// -1 / (2 C c_i) for the squared hinge and -1 / (C_i u (1 - u)) <= -4 / (C c_i) for logistic loss, call it -m_i or less; what l2
/// subtracts is convex in theta. So D(theta) <= D(theta*) + D'(theta*; d) - sum_i m_i d_i^2 / 2, and D'(theta*; d) <= 0, as theta* is
/// the best of a convex set in which it lies together with theta. Hence sum_i m_i d_i^2 / 2 <= distance.
/// By Cauchy and Schwarz |s_f(theta*) - s_f(theta)| <= radius sqrt(sum_i c_i x_if^2); where this leaves |s_f(theta*)| < 1, w_f = 0 at
/// every optimum, for l2 > 0 as for l2 = 0.
[[nodiscard]] double dual_radius(const SparseProblem& problem, double distance);

/// A value of the dual, hence a lower bound on the objective of every w and b. theta is balanced; `largest` is
/// at least every |s_f| of it; `excess` is, for l2 > 0, sum_f max(0, |s_f| - 1)^2 (otherwise not looked at).
/// The better of theta scaled by a factor that makes all |s_f| <= 1, and, for l2 > 0, theta as it is.
[[nodiscard]] double dual_bound(const SparseProblem& problem, std::span<const double> theta, double largest,
                                double excess);

/// Throws base::Error where labels are not 1 and -1, one of them is missing, or a cost, C or l2 is out of range.
void validate(const SparseProblem& problem);

}  // namespace treeline::linear
