#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace treeline::svm {

/// One variable of the dual of the SVM: b = alpha * y of a point, between `low` and `high` (one of them is
/// 0).
struct DualVariable {
    std::uint32_t example = 0;  ///< whose row of the kernel is meant
    double y = 1;
    double low = 0;
    double high = 0;
    double value = 0;
    double gradient = 0;  ///< y - f(x), f without threshold
};

struct DualSolverOptions {
    double epsilon = 1e-3;
    bool bias = true;    ///< the sum of all values must be 0
    bool shrink = true;  ///< leave variables aside that will stay at their bounds
};

struct DualSolverReport {
    std::uint64_t iterations = 0;
    double gap = 0;
    double highest = 0;  ///< largest gradient among variables that can grow
    double lowest = 0;   ///< smallest gradient among those that can fall
    bool stopped = false;
};

/// Kernel values as the solver asks for them.
template <typename T>
class DualRows {
  public:
    virtual ~DualRows() = default;
    /// K(variable's example, .); a value for the variable v is at position(v). Valid while the next row is in
    /// use.
    [[nodiscard]] virtual const T* row(std::uint32_t example) = 0;
    [[nodiscard]] virtual std::uint32_t position(std::uint32_t example) const = 0;
    /// out[k] = sum over variables with a value of value * K(its example, examples[k]).
    virtual void sums(std::span<const DualVariable> variables, std::span<const std::uint32_t> examples,
                      std::span<double> out) = 0;
};

/// Minimizes b'Kb/2 - y'b over low <= b <= high, with bias subject to sum b = 0 (which the values given must
/// satisfy), until
///   bias:     max {g_i: b_i < high_i} - min {g_j: b_j > low_j} <= epsilon,   g = y - K b,
///   no bias:  no g_i can move b_i with |g_i| > epsilon.
/// Working sets of two variables by second-order information (Fan, Chen & Lin 2005), of one without bias.
/// With `shrink`, variables at a bound whose gradient holds them there are left aside; their gradients are
/// made up before it ends. Gradients are kept up to date. `stop` is asked now and then with the iterations
/// done and the gap; if it says true, the values reached are left. Cost of an iteration: two kernel rows and
/// two passes over the variables not left aside.
template <typename T>
DualSolverReport solve_dual(std::span<DualVariable> variables, std::span<const double> diagonal,
                            DualRows<T>& rows, const DualSolverOptions& options,
                            const std::function<bool(std::uint64_t iterations, double gap)>& stop = {});

extern template DualSolverReport solve_dual(std::span<DualVariable>, std::span<const double>,
                                            DualRows<float>&, const DualSolverOptions&,
                                            const std::function<bool(std::uint64_t, double)>&);
extern template DualSolverReport solve_dual(std::span<DualVariable>, std::span<const double>,
                                            DualRows<double>&, const DualSolverOptions&,
                                            const std::function<bool(std::uint64_t, double)>&);

}  // namespace treeline::svm
