#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "example/classes.hpp"
#include "example/example_set.hpp"
#include "store/model_list.hpp"
#include "svm/class_machines.hpp"
#include "tree/forest.hpp"

namespace treeline::classify {

/// Kernel machines of parts of the examples: one for each part and question, where the part has examples of the class and
/// others.
class SplitMachines {
  public:
    /// `parts` list examples of the set that `classes` is about. Throws base::UsageError where no part has examples of two classes.
    SplitMachines(const example::Classes& classes, std::vector<std::vector<std::uint32_t>> parts,
                  std::size_t splits);

    /// By part, then by question; `splits` of the constructor stands in their names.
    [[nodiscard]] const std::vector<store::ListedModel>& models() const { return models_; }
    [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& parts() const { return parts_; }
    /// Numbers of a part's models are first_of(part) to first_of(part + 1) - 1.
    [[nodiscard]] std::size_t first_of(std::size_t part) const { return first_of_[part]; }
    [[nodiscard]] const std::vector<example::ClassQuestion>& questions() const {
        return classes_->questions();
    }
    /// By question, the number of parts without a model of it.
    [[nodiscard]] const std::vector<std::size_t>& absent() const { return absent_; }

    /// Hears of each machine as it is there; the model's support vectors are of `set` and `forest`.
    using Done = std::function<void(std::size_t model, const svm::TrainingOutcome& outcome,
                                    const store::KernelModel& kernel_model, const tree::Forest& forest,
                                    const example::ExampleSet& set)>;
    /// Trains those models of a part that `wanted` asks for. The examples get a forest of their own: rounding follows the
    /// numbers of nodes, and a model must not depend on which other parts are at hand. Where `stop` asks for it, ends before
    /// the next machine, or leaves out the one at work. Thread-safe.
    void train(std::size_t part, const example::ExampleSet& examples, const tree::Forest& forest,
               const svm::MachineOptions& options, const std::function<bool(std::size_t model)>& wanted,
               const std::function<bool()>& stop, const Done& done) const;

  private:
    const example::Classes* classes_;
    std::vector<std::vector<std::uint32_t>> parts_;
    std::vector<store::ListedModel> models_;
    std::vector<std::size_t> question_of_;  // of each model
    std::vector<std::size_t> first_of_;
    std::vector<std::size_t> absent_;
};

/// Trains the machines of stratified splits (0 = as many as suit the examples) and writes their model files and a manifest into
/// `folder`, which must not be there; the files are those that fsl writes. Returns the number of models. What `stop` asks for ends
/// the work with base::Error, and nothing is written.
std::size_t train_split_models(const example::ExampleSet& examples, const tree::Forest& forest,
                               const svm::MachineOptions& options, std::size_t splits,
                               const std::string& folder, base::ProgressObserver& progress,
                               const std::function<bool()>& stop);

}  // namespace treeline::classify
