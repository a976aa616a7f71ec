#pragma once

#include <functional>
#include <string>

#include "base/progress.hpp"
#include "classify/kernel_classifier.hpp"
#include "classify/tree_space.hpp"
#include "example/example_set.hpp"
#include "fragment/miner.hpp"
#include "linear/linear_problem.hpp"
#include "store/dictionary_builder.hpp"
#include "store/linear_model.hpp"
#include "svm/class_machines.hpp"
#include "tree/forest.hpp"

/// From labelled trees to a classifier, a call a step:
///     train_kernel_classifier -> mine_dictionary -> TreeSpace::vectorize -> train_linear_model -> TreeClassifier.
/// Each gives the same result for any number of threads (base::run_with_threads), and for the same seed.
namespace treeline::classify {

/// Kernel machines that tell the classes of all examples apart. Throws base::UsageError for a kernel or options that
/// do not fit the examples or each other, and where there are fewer than two classes; base::Error where `stop` asks for the end.
[[nodiscard]] KernelClassifier train_kernel_classifier(
    const example::ExampleSet& examples, const tree::Forest& forest, const svm::MachineOptions& options,
    base::ProgressObserver& observer = base::silent_observer(), const std::function<bool()>& stop = {});

/// Writes the machines as ksl does: a model file for one machine; for several a folder of them with a manifest. Whole or not at all.
void write_kernel_classifier(const KernelClassifier& classifier, const std::string& path);

/// The fragments of all machines of a classifier (the union of what each lists) as a dictionary at `path`, whole
/// or not at all.
store::DictionarySummary mine_dictionary(const KernelClassifier& classifier,
                                         const fragment::MinerOptions& options, const std::string& path,
                                         base::ProgressObserver& observer = base::silent_observer());

/// A linear model over explicit vectors, ready for store::write_linear_model() or TreeClassifier. Costs of
/// examples count as weights of their errors. Throws base::UsageError for a solver that knows no such weights where
/// there are some.
[[nodiscard]] store::LinearModelFile train_linear_model(
    const TreeSpace& space, const ExplicitRows& rows, const linear::LinearOptions& options,
    base::ProgressObserver& observer = base::silent_observer());

}  // namespace treeline::classify
