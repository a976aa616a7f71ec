#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "classify/decisions.hpp"
#include "example/decision.hpp"
#include "example/example_set.hpp"
#include "store/kernel_model.hpp"
#include "tree/forest.hpp"

namespace treeline::classify {

/// Machines of one class: its decision value is the mean of theirs (several, where the data were split).
struct ClassMachines {
    std::string positive;  ///< label of examples with a value above 0
    std::string negative;  ///< label of the others; empty for "any other"
    std::vector<store::KernelModel> models;
};

/// Classifies by kernel machines: f(x) = sum_i alpha_i y_i K(x_i, x) - b for each class. One machine tells two
/// classes apart by the sign; of several, one against all, the largest value wins. Machines of one kernel share
/// what is computed of the examples. const methods are thread-safe; parallel inside, with the same result for any
/// number of threads.
class KernelClassifier {
  public:
    /// Of machines whose support vectors are in `examples` and `forest`.
    KernelClassifier(tree::Forest forest, example::ExampleSet examples, std::vector<ClassMachines> classes);
    /// Reads a model file, or a folder of models (store::list_models). Throws InputError or SystemError.
    [[nodiscard]] static KernelClassifier read(const std::string& path,
                                               base::ProgressObserver& observer = base::silent_observer());

    [[nodiscard]] const std::vector<ClassMachines>& classes() const { return classes_; }
    /// What is decided between: the two classes of a single machine, positive first, or one label a class.
    [[nodiscard]] const std::vector<std::string>& labels() const { return labels_; }
    /// The label among labels() that an example of class `name` should get: where a single machine knows
    /// only its positive class, example::rest_of() it for one of the others.
    [[nodiscard]] std::string_view gold_label(std::string_view name) const;

    /// The support vectors. Examples to classify may be appended, which saves copying them.
    [[nodiscard]] tree::Forest& forest() { return forest_; }
    [[nodiscard]] const tree::Forest& forest() const { return forest_; }
    [[nodiscard]] example::ExampleSet& examples() { return examples_; }
    [[nodiscard]] const example::ExampleSet& examples() const { return examples_; }

    /// Decision values of examples of examples(). Cost: that of the kernel space of each kernel
    /// (kernel::KernelSpace), which prepares the support vectors once a call: classify many at a time.
    [[nodiscard]] Decisions classify(std::span<const std::uint32_t> targets,
                                     base::ProgressObserver& observer = base::silent_observer()) const;
    /// Decision values of all examples of another set, whose trees are in `forest`. Nothing is kept of them.
    [[nodiscard]] Decisions classify(const example::ExampleSet& examples, const tree::Forest& forest,
                                     base::ProgressObserver& observer = base::silent_observer()) const;

    [[nodiscard]] const std::string& label_of(std::span<const double> decisions) const {
        return labels_[example::decide(decisions)];
    }

    /// Bytes that classify() takes for so many examples, besides the examples themselves.
    [[nodiscard]] std::uint64_t bytes_needed(std::size_t examples) const;

  private:
    tree::Forest forest_;
    example::ExampleSet examples_;
    std::vector<ClassMachines> classes_;
    std::vector<std::string> labels_;
};

}  // namespace treeline::classify
