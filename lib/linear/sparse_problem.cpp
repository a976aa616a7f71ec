#include "linear/sparse_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace treeline::linear {

namespace {

constexpr std::size_t kPiece = 16384;

/// Sum over the rows, in pieces that do not depend on the number of threads.
template <typename Term>
double sum_rows(std::size_t rows, const Term& term) {
    std::vector<double> sums((rows + kPiece - 1) / kPiece);
    base::parallel_pieces(rows, kPiece, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            sum += term(i);
        }
        sums[begin / kPiece] = sum;
    });
    double all = 0;
    for (const double sum : sums) {
        all += sum;
    }
    return all;
}

/// x log x, 0 at 0.
double entropy_term(double x) { return x > 0 ? x * std::log(x) : 0; }

}  // namespace

double sparse_primal(const SparseProblem& problem, std::span<const double> weights,
                     std::span<const double> margins) {
    double penalty = 0;
    for (const double w : weights) {
        penalty += std::abs(w) + problem.l2 / 2 * w * w;
    }
    return penalty + problem.c * sum_rows(margins.size(), [&](std::size_t i) {
                         return problem.costs[i] * problem.loss_at(margins[i]).value;
                     });
}

std::vector<double> dual_variables(const SparseProblem& problem, std::span<const double> margins) {
    std::vector<double> theta(margins.size());
    base::parallel_pieces(theta.size(), kPiece, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            theta[i] = -problem.c * problem.costs[i] * problem.loss_at(margins[i]).slope;
        }
    });
    return theta;
}

void balance(const SparseProblem& problem, std::span<double> theta) {
    const auto side = [&](double label) {
        return sum_rows(theta.size(),
                        [&](std::size_t i) { return problem.labels[i] == label ? theta[i] : 0; });
    };
    const double positive = side(1);
    const double negative = side(-1);
    const double heavier = positive > negative ? 1 : -1;
    const double factor =
        positive == negative ? 1 : std::min(positive, negative) / std::max(positive, negative);
    for (std::size_t i = 0; i < theta.size(); ++i) {
        if (problem.labels[i] == heavier) {
            theta[i] *= factor;
        }
    }
}

double dual_score(const SparseProblem& problem, const SparseColumn& column, std::span<const double> theta) {
    double sum = 0;
    for (std::size_t k = 0; k < column.rows.size(); ++k) {
        const std::uint32_t row = column.rows[k];
        sum += column.values[k] * (problem.labels[row] * theta[row]);
    }
    return sum;
}

double sparse_dual(const SparseProblem& problem, std::span<const double> theta, double scale) {
    return sum_rows(theta.size(), [&](std::size_t i) {
        const double value = scale * theta[i];
        const double cost = problem.c * problem.costs[i];
        if (problem.loss == SparseLoss::kSquaredHinge) {
            return value - value * value / (4 * cost);
        }
        const double u = std::min(1.0, value / cost);
        return -cost * (entropy_term(u) + entropy_term(1 - u));
    });
}

double dual_scale(const SparseProblem& problem, std::span<const double> theta, double largest) {
    double scale = largest > 1 ? 1 / largest : 1;
    if (problem.loss == SparseLoss::kSquaredHinge) {
        // sum theta - s sum theta^2 / (2 C_i) = 0 at the best scale s.
        const double linear = sum_rows(theta.size(), [&](std::size_t i) { return theta[i]; });
        const double square = sum_rows(theta.size(), [&](std::size_t i) {
            return theta[i] * theta[i] / (2 * problem.c * problem.costs[i]);
        });
        if (square > 0) {
            scale = std::min(scale, linear / square);
        }
    }
    return scale;
}

double dual_radius(const SparseProblem& problem, double distance) {
    const double curvature = problem.loss == SparseLoss::kSquaredHinge ? 4 : 0.5;
    return std::sqrt(curvature * problem.c * std::max(0.0, distance));
}

double dual_bound(const SparseProblem& problem, std::span<const double> theta, double largest,
                  double excess) {
    const double scale = dual_scale(problem, theta, largest);
    const double scaled = sparse_dual(problem, theta, scale);
    return problem.l2 > 0 ? std::max(scaled, sparse_dual(problem, theta) - excess / (2 * problem.l2))
                          : scaled;
}

void validate(const SparseProblem& problem) {
    if (problem.costs.size() != problem.labels.size()) {
        throw base::Error(
            fmt::format("{} costs for {} examples", problem.costs.size(), problem.labels.size()));
    }
    for (std::size_t i = 0; i < problem.rows(); ++i) {
        if (std::abs(problem.labels[i]) != 1) {
            throw base::Error(fmt::format("label {} of example {}; expected 1 or -1", problem.labels[i], i));
        }
        if (!(problem.costs[i] > 0 && std::isfinite(problem.costs[i]))) {
            throw base::Error(
                fmt::format("cost {} of example {}; expected one above 0", problem.costs[i], i));
        }
    }
    if (std::ranges::find(problem.labels, 1.0) == problem.labels.end() ||
        std::ranges::find(problem.labels, -1.0) == problem.labels.end()) {
        throw base::Error("all examples have the same label; expected two");
    }
    if (!(problem.c > 0 && std::isfinite(problem.c))) {
        throw base::UsageError(fmt::format("C is {}; expected a number above 0", problem.c));
    }
    if (!(problem.l2 >= 0 && std::isfinite(problem.l2))) {
        throw base::UsageError(fmt::format("the factor of ||w||_2^2 is {}; expected 0 or more", problem.l2));
    }
}

}  // namespace treeline::linear
