#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace treeline::svm {

/// The small quadratic program of a cutting-plane method:
///   maximize  h.a - a'Ha/2   subject to  a >= 0,  sum a <= c,
/// H symmetric and positive semi-definite, one variable per cut. Variables come and go between solutions,
/// each of which starts from the last one.
class SmallQp {
  public:
    [[nodiscard]] std::size_t size() const { return offsets_.size(); }
    [[nodiscard]] std::span<const double> solution() const { return alpha_; }
    [[nodiscard]] double offset(std::size_t i) const { return offsets_[i]; }
    [[nodiscard]] double product(std::size_t i, std::size_t j) const { return products_[i][j]; }

    /// Appends a variable with a = 0: its h, and its column of H: products with all variables, itself last.
    void add(double offset, std::span<const double> products);
    /// Keeps the variables with keep[i], in order.
    void retain(const std::vector<bool>& keep);

    struct Report {
        double objective = 0;  ///< of the dual, as above
        double slack = 0;      ///< max(0, max_i h_i - (Ha)_i)
        double norm2 = 0;      ///< a'Ha
        /// Primal minus dual objective, a'Ha/2 + c*slack - objective: an upper bound of the distance to the
        /// optimum.
        double gap = 0;
        std::uint64_t steps = 0;
    };
    /// Moves weight between two variables at a time (the slack of sum a <= c is one of them), chosen by
    /// second order, until the gap is at most `gap` or `max_steps` were made. O(size) a step.
    Report solve(double c, double gap, std::uint64_t max_steps = 1'000'000);

  private:
    [[nodiscard]] std::vector<double> gradient() const;

    std::vector<double> offsets_;
    std::vector<double> alpha_;
    std::vector<std::vector<double>> products_;  // full rows
};

}  // namespace treeline::svm
