#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "evaluate/folds.hpp"
#include "evaluate/measure.hpp"
#include "evaluate/metrics.hpp"
#include "example/classes.hpp"
#include "example/example_set.hpp"
#include "kernel/description.hpp"
#include "svm/class_machines.hpp"
#include "tree/forest.hpp"

namespace treeline::svm {

/// What a search tries: every kernel with every lambda, every c and every j. An empty list stands for the one value
/// of the MachineOptions beside it.
struct ParameterGrid {
    std::vector<std::string> kernels{};
    std::vector<double> lambdas{};       ///< decay of the tree kernels
    std::vector<double> costs{};         ///< c, above 0
    std::vector<double> cost_factors{};  ///< j, above 0

    [[nodiscard]] bool empty() const {
        return kernels.empty() && lambdas.empty() && costs.empty() && cost_factors.empty();
    }
};

/// What is worth trying where nothing is known of the data: the optimum of most data lies inside it.
[[nodiscard]] ParameterGrid usual_grid();

struct Candidate {
    kernel::KernelDescription kernel;
    double cost = 1;
    double cost_factor = 1;
};

/// The candidates of a grid, kernels first, then lambdas, costs, factors. Throws base::UsageError for kernels that
/// are none.
[[nodiscard]] std::vector<Candidate> make_candidates(const ParameterGrid& grid,
                                                     const MachineOptions& options);

/// How good a candidate is, in percent.
struct CandidateScore {
    double value = 0;      ///< the measure, which decides
    double precision = 0;  ///< of the positive class of one two-class question
    double recall = 0;
    double f1 = 0;
    double accuracy = 0;
    double macro_f1 = 0;
    evaluate::Measure measure = evaluate::Measure::kAuto;  ///< that of the search, never kAuto
    std::uint64_t support_vectors = 0;                     ///< of a fold, on average
};

/// Folds of a stratified cross-validation over all examples: each class is dealt out evenly, the order of the
/// examples stays.
[[nodiscard]] std::vector<evaluate::Fold> stratified_folds(const example::ExampleSet& examples,
                                                           const example::ClassOptions& classes,
                                                           std::size_t count, std::uint64_t seed);

/// Fast parameter choice (Severyn & Moschitti 2010, sections 5.5 and 5.6): a candidate is trained by cutting planes
/// with small uniform samples (usvm) and measured on what the folds leave out; several classes one against all. The
/// same for any number of threads.
class ParameterSearch {
  public:
    /// `sample`: examples of a cut. `measure`: kAuto is F1 for one class against the rest, too. Of `options` counts what candidates leave open: classes, tolerance, constant,
    /// seed. Forest and examples must outlive this. Throws what example::Classes throws.
    ParameterSearch(const tree::Forest& forest, const example::ExampleSet& examples,
                    std::vector<evaluate::Fold> folds, const MachineOptions& options, std::size_t sample,
                    evaluate::Measure measure = evaluate::Measure::kAuto);

    /// One question between two classes, or one class against the rest.
    [[nodiscard]] bool is_two_class() const { return classes_[0].questions().size() == 1; }
    /// Trains on every fold, measures what all of them leave out. Where `stop` asks for it, throws base::Error.
    [[nodiscard]] CandidateScore measure(const Candidate& candidate,
                                         const std::function<bool()>& stop = {}) const;

  private:
    [[nodiscard]] TrainedMachine train(const Candidate& candidate, const evaluate::Fold& fold,
                                       const std::vector<double>& labels,
                                       const std::function<bool()>& stop) const;
    void add_predictions(const example::Classes& classes, const evaluate::Fold& fold,
                         const std::vector<std::vector<double>>& values, evaluate::Metrics& metrics) const;

    const tree::Forest& forest_;
    const example::ExampleSet& examples_;
    std::vector<evaluate::Fold> folds_;
    std::vector<example::Classes> classes_;  // of each fold's training examples
    MachineOptions options_;
    std::size_t sample_;
    evaluate::Measure measure_;
};

}  // namespace treeline::svm
