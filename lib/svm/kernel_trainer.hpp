#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/names.hpp"
#include "base/progress.hpp"
#include "svm/training_problem.hpp"

namespace treeline::svm {

enum class Solver { kSmo, kUsvm, kIsvm };

inline constexpr base::NameTable<Solver, 3> kSolverNames{{
    {Solver::kSmo, "smo"},
    {Solver::kUsvm, "usvm"},
    {Solver::kIsvm, "isvm"},
}};

/// The options of all solvers of kernel machines; some belong to one solver only.
struct KernelTrainerOptions {
    Solver solver = Solver::kSmo;
    double c = 1;                                   ///< cost of an error
    double epsilon = 1e-3;                          ///< tolerance; its meaning is the solver's
    std::uint64_t memory = std::uint64_t{1} << 30;  ///< bytes for kernel values kept
    std::uint64_t seed = 1;
    std::size_t tasks = 1;      ///< how many will be trained
    bool bias = true;           ///< smo
    bool shrink = true;         ///< smo
    std::size_t sample = 1000;  ///< usvm, isvm: examples of a cut; 0 = all
    double constant = 0;        ///< usvm, isvm: value of a constant feature; 0 = none
};

/// A number worth telling, by its name.
using Fact = std::pair<std::string, double>;

struct TrainingOutcome {
    TrainedMachine machine;
    bool converged = false;     ///< `gap` is at most epsilon
    double gap = 0;             ///< what is left of what epsilon bounds
    std::vector<Fact> counts;   ///< the same for any number of threads
    std::vector<Fact> seconds;  ///< by phase
};

/// What to say about a machine whose training has ended before `gap` was at most epsilon.
[[nodiscard]] std::string describe_unreached(const TrainingOutcome& outcome, double epsilon);

/// Trains two-class machines over one list of examples, whatever the solver.
class KernelTrainer {
  public:
    virtual ~KernelTrainer() = default;
    /// `initial` are coefficients to start from, where the solver can; empty = none. `stop`: see the solvers. Throws
    /// base::DataError where kernel values are too large to be computed with.
    [[nodiscard]] virtual TrainingOutcome train(const TrainingTask& task, std::span<const double> initial,
                                                const std::function<bool()>& stop) = 0;
};

/// What `data` refers to must outlive the trainer.
[[nodiscard]] std::unique_ptr<KernelTrainer> make_kernel_trainer(const TrainingData& data,
                                                                 const KernelTrainerOptions& options,
                                                                 base::ProgressObserver& observer);

}  // namespace treeline::svm
