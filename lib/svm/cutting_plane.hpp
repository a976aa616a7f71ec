#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/progress.hpp"
#include "svm/training_problem.hpp"

namespace treeline::svm {

/// How the examples of a cut are chosen.
enum class CutSampling {
    kUniform,    ///< uSVM: from all examples; w is known on the sample only, which also decides when to stop
    kImportance  ///< iSVM: from the examples that violate the margin; w is known on all examples, whose exact
                 ///< cut decides
};

struct CuttingPlaneOptions {
    double c = 1;  ///< cost of an example's error, as in smo; above 0
    CutSampling sampling = CutSampling::kUniform;
    std::size_t sample = 1000;  ///< examples of a cut; 0, or not below their number: all
    std::size_t small = 8192;   ///< up to so many examples kernel rows are kept, if they fit half of memory
    double epsilon = 1e-3;      ///< tolerance of the mean hinge loss; above 0
    std::size_t max_iterations = 5000;
    std::size_t idle_limit = 50;  ///< a cut without weight for that many iterations is removed; 0 = never
    double constant = 0;          ///< value of a constant feature that all examples get; 0 = none
    std::uint64_t seed = 1;
    std::uint64_t memory = std::uint64_t{4}
                           << 30;  ///< bytes that values remembered between iterations may take
};

struct CuttingPlaneReport {
    std::uint64_t iterations = 0;
    bool converged = false;  ///< false: stopped, max_iterations, or a C too large for the small QP
    std::size_t cuts = 0;    ///< in the final working set
    std::size_t removed_cuts = 0;
    std::size_t support_vectors = 0;
    double slack = 0;             ///< mean hinge loss as the working set has it
    double loss = 0;              ///< and as the last sample (uSVM) or all examples (iSVM) have it
    double objective = 0;         ///< of the dual; below its optimum where cuts are of all examples
    double primal = 0;            ///< |w|^2/2 + c Q loss at the w that `loss` is of
    double qp_gap = 0;            ///< largest duality gap left by the small QP
    double norm = 0;              ///< |w|, constant feature included
    double seconds_values = 0;    ///< for decision values, wall-clock
    double seconds_products = 0;  ///< for products of cuts
    double seconds_qp = 0;
};

struct CuttingPlaneResult {
    TrainedMachine machine;  ///< its threshold is 0 without constant feature
    CuttingPlaneReport report;
};

/// Trains an SVM without bias by cutting planes (the 1-slack formulation of Joachims; with sampling Yu &
/// Joachims 2008, Severyn & Moschitti 2010 and 2011):
///   minimize |w|^2/2 + c Q xi,   (1/Q) sum_i q_i max(0, 1 - y_i w.phi(x_i)) <= xi,   Q = sum_i q_i, q_i the
///   costs.
/// Each iteration adds the cut w.g >= d - xi, g = sum_i s_i y_i phi(x_i), d = sum_i s_i over the sampled
/// examples that violate the margin, s_i their share of the sample, and solves the dual over the cuts, max
/// d.a - a'Ha/2, H = (g_i.g_j), a >= 0, sum a <= c Q, to a gap of a tenth of epsilon c Q. It ends when the
/// next cut's loss is within epsilon of xi. Costs enter by the sampling, so c means what it does in smo. A
/// constant feature v acts as a bias that is regularized less the larger v is.
///
/// With all examples in every cut both samplings are one and the same exact method, whose optimum is that of
/// smo without bias.
///
/// Cost of an iteration: uSVM, sample times support; iSVM, cut times all examples; both in distinct nodes
/// that match. For few examples both are cut times all examples, in additions. Parallel inside, in the arena
/// of the caller; the same result for any number of threads. `stop` is asked once an iteration: if true, what
/// has been reached is returned. Throws base::UsageError for labels of one class only.
[[nodiscard]] CuttingPlaneResult train_cutting_plane(
    const TrainingData& data, const TrainingTask& task, const CuttingPlaneOptions& options,
    const std::function<bool()>& stop = {}, base::ProgressObserver& observer = base::silent_observer());

}  // namespace treeline::svm
