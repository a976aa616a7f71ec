#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linear/sparse_problem.hpp"

namespace treeline::linear {

/// out_i += sum_k factors[k] x_i,chosen[k]. Parallel over rows; the same bytes for any number of threads.
void add_columns(std::span<const SparseColumn* const> columns, std::span<const std::uint32_t> chosen,
                 std::span<const double> factors, std::span<double> out);

/// The quadratic model of the loss at given margins over some columns and the bias, for the rows that count:
/// those with curvature. Values are y_i x_if, so that a row of the product with a change of weights is the
/// change of a margin. The bias is the last coordinate.
class LocalModel {
  public:
    LocalModel(const SparseProblem& problem, std::span<const SparseColumn* const> columns,
               std::span<const double> margins, std::span<const std::uint32_t> chosen);

    [[nodiscard]] std::size_t columns() const { return starts_.size() - 1; }
    [[nodiscard]] std::size_t dimension() const { return starts_.size(); }
    [[nodiscard]] std::size_t rows() const { return curvature_.size(); }

    /// The gradient of the loss at the margins; exact, as rows without curvature have no slope or next to none
    /// (those of the logistic loss are all kept).
    [[nodiscard]] std::vector<double> gradient() const;
    /// Diagonal of the Hessian of the loss.
    [[nodiscard]] std::vector<double> diagonal() const;
    /// out = Hessian of the loss times v.
    void multiply(std::span<const double> v, std::span<double> out);

    /// Coordinate `column` of the gradient of the model after margins changed by `changes`, less that at 0.
    [[nodiscard]] double change_of_gradient(std::size_t column, std::span<const double> changes) const;
    /// changes += step times a column.
    void add(std::size_t column, double step, std::span<double> changes) const;

  private:
    void make_rows();

    std::vector<double> signs_;      ///< y of each row
    std::vector<double> slope_;      ///< C_i loss'
    std::vector<double> curvature_;  ///< C_i loss''
    std::vector<std::size_t> starts_;
    std::vector<std::uint32_t> row_;
    std::vector<double> value_;
    std::vector<std::size_t> row_starts_;  ///< the same by rows, once multiply() is called
    std::vector<std::uint32_t> column_;
    std::vector<double> row_value_;
    std::vector<double> products_;
};

}  // namespace treeline::linear
