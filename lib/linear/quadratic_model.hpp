#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "linear/sparse_problem.hpp"

namespace treeline::linear {

/// True if so little is left of a weight that the step was to make it 0: what is left is rounding.
[[nodiscard]] inline bool is_cancelled(double weight, double left) {
    return std::abs(left) <= 1e-14 * std::abs(weight);
}

/// A point of the model: weights of its columns, and how far the bias is from where the model was made.
struct ModelPoint {
    std::vector<double> weights;
    double bias_change = 0;
};

/// The second-order model of a sparse problem's objective at given margins, over some of its columns and the bias:
///     q(v, d) = sum_i C_i (loss'(m_i) u_i + loss''(m_i)/2 u_i^2) + ||v||_1 + l2/2 ||v||_2^2,
///     u_i = y_i ((v - w).x_i + d),
/// w the weights at the margins. Only rows with curvature are kept: with the squared hinge those with loss.
class QuadraticModel {
  public:
    QuadraticModel(const SparseProblem& problem, std::span<const SparseColumn* const> columns,
                   std::span<const double> margins, std::span<const std::uint32_t> chosen);

    /// Minimizes q, starting from w; `point.weights` is w at first. Sweeps of coordinate descent, which settle what
    /// is 0, alternate with Newton steps over what is not, until a sweep changes less than `tolerance` of
    /// what the first changed, or the work done is out of proportion. Parallel where it is large; the same bytes
    /// for any number of threads.
    void minimize(ModelPoint& point, double tolerance, base::Random& random);

    /// Products with the Hessian so far.
    [[nodiscard]] std::size_t products() const { return products_done_; }

  private:
    [[nodiscard]] std::size_t columns() const { return starts_.size() - 1; }
    [[nodiscard]] std::size_t rows() const { return curvature_.size(); }

    void make_rows();
    /// The gradient of the smooth part in one column (columns() = the bias) at changes_, less that of l2.
    [[nodiscard]] double slope_of(std::size_t column) const;
    void change(std::size_t column, double step);
    [[nodiscard]] std::vector<double> diagonal() const;

    /// One sweep; returns the sum of squared steps times curvatures.
    double sweep(std::span<const std::uint32_t> order, ModelPoint& point);
    /// A step over the weights that are not 0, which keeps their signs or makes them 0.
    void newton_step(ModelPoint& point, double tolerance);
    /// -H^-1 gradient over the support and the bias: by conjugate gradients, or, where these do not get there in
    /// some hundred steps, the tolerance is small and the support not too large, by factorization.
    [[nodiscard]] std::vector<double> newton_direction(std::span<const std::uint32_t> support,
                                                       const std::vector<double>& gradient, double tolerance);
    /// False if so many steps did not suffice.
    bool conjugate_gradients(std::span<const std::uint32_t> support, std::vector<double>& direction,
                             const std::vector<double>& gradient, double tolerance);
    bool factorize(std::span<const std::uint32_t> support, std::vector<double>& direction,
                   const std::vector<double>& gradient);
    /// A way from a point over the support and the bias, the part of it where q is least, and how much q falls.
    struct Segment {
        std::vector<double> step;
        double length;
        double gain;
    };
    /// The way to point + part * direction, cut off where weights reach 0.
    [[nodiscard]] Segment segment(const ModelPoint& point, std::span<const std::uint32_t> support,
                                  std::span<const double> gradient, std::span<const double> direction,
                                  double part);
    void take(const Segment& segment, std::span<const std::uint32_t> support, ModelPoint& point);
    /// rows_product_ = X v, v over the support and the bias.
    void multiply(std::span<const std::uint32_t> support, std::span<const double> v);

    double l2_;
    std::vector<double> signs_;      ///< y of each row
    std::vector<double> slope_;      ///< C_i loss'
    std::vector<double> curvature_;  ///< C_i loss''
    std::vector<std::size_t> starts_;
    std::vector<std::uint32_t> row_;
    std::vector<double> value_;            ///< y_i x_if
    std::vector<std::size_t> row_starts_;  ///< the same by rows, once they are needed
    std::vector<std::uint32_t> column_;
    std::vector<double> row_value_;
    std::vector<double> diagonal_;
    std::vector<double> changes_;       ///< u
    std::vector<double> wide_;          ///< v of multiply() by column, 0 outside the support
    std::vector<double> rows_product_;  ///< by row
    std::size_t products_done_ = 0;
    bool fine_ = false;  ///< the tolerance is small
    bool hard_ = false;  ///< conjugate gradients have failed
};

}  // namespace treeline::linear
