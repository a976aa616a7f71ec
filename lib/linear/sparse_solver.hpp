#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "linear/sparse_problem.hpp"

namespace treeline::linear {

struct SparseOptions {
    double gap = 1e-6;                     ///< enough when primal - dual <= gap * primal
    std::size_t max_rounds = 60;           ///< a round passes over all columns once
    std::function<bool()> cancelled = {};  ///< asked once a round; true ends the work with what there is
};

/// A point of the problem over some columns, and what is known of its distance to the optimum.
struct SparseSolution {
    std::vector<double> weights;  ///< by column
    double bias = 0;
    std::vector<double> margins;  ///< y_i (w.x_i + b)
    std::vector<double> theta;    ///< -C_i loss'(m_i); balance() it before it serves as a dual point
    std::vector<double> scores;   ///< by column: s_f of that theta
    double primal = 0;
    double dual = 0;         ///< a lower bound on the objective of every point over the same columns
    bool converged = false;  ///< primal - dual <= gap * primal
    std::size_t rounds = 0;
    std::size_t conjugate_steps = 0;

    /// (primal - dual) / primal; 0 where both are 0.
    [[nodiscard]] double gap() const { return primal > 0 ? (primal - dual) / primal : 0; }
};

/// Solves the problem over `columns` from the weights and the bias of `solution`, one weight a column (missing
/// ones are 0). A round minimizes the quadratic model of the objective over the columns with a weight or with a
/// score near or above 1 (see QuadraticModel) and goes the best part of the way there (Friedman, Hastie &
/// Tibshirani 2010; Yuan, Ho & Lin 2012). Once the weights that are 0 and, for the squared hinge, the rows with
/// loss are those of the optimum, a round arrives there, so that a small gap costs little more than a large one.
/// From weights 0 it passes through a few smaller C. The work grows with C: where hardly more rows have loss than
/// columns have a weight, the model is all but singular.
/// Columns may be empty, equal or linear combinations of others. Where rounding keeps the gap above the one asked
/// for, it ends with what can be reached, and `converged` says so.
/// Parallel in the arena of the caller; the same bytes for any number of threads.
void solve_sparse(const SparseProblem& problem, std::span<const SparseColumn* const> columns,
                  const SparseOptions& options, SparseSolution& solution);

}  // namespace treeline::linear
