#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "example/classes.hpp"
#include "example/example_set.hpp"
#include "kernel/description.hpp"
#include "svm/training_problem.hpp"
#include "tree/forest.hpp"

namespace treeline::store {

/// One support vector: an example of a set that is kept beside the model, and alpha * y.
struct SupportVector {
    std::uint32_t example = 0;
    double coefficient = 0;
    bool operator==(const SupportVector&) const = default;
};

/// A kernel machine for two classes: f(x) = sum_i coefficient_i K(x, example_i) - threshold.
struct KernelModel {
    kernel::KernelDescription kernel;
    double threshold = 0;
    std::uint64_t training_examples = 0;
    std::vector<SupportVector> support;
    /// The labels of examples with f(x) above 0 and of the others (empty: any other).
    example::ClassQuestion classes{"+1", "-1"};
};

/// The model of a trained machine: `subset` are its training examples, by their number in the set that the model's
/// support vectors refer to.
[[nodiscard]] KernelModel make_kernel_model(const kernel::KernelDescription& kernel,
                                            const svm::TrainedMachine& machine,
                                            std::span<const std::uint32_t> subset,
                                            example::ClassQuestion classes);

/// Model files are SVM-light-TK 1.5's own text: `value # name` lines, then one support vector a line,
/// `alpha*y |BT| tree |ET| vectors |EV|`, leaves in brackets. Its `svm_classify` reads ours as long as the
/// kernel is one of its own (see svm_light_header.hpp). Values of vectors are written to the last digit, the
/// threshold with 8. Classes other than +1 and -1 stand after the support vectors, where SVM-light-TK does not look:
/// `# positive class: LABEL` and, unless it is any other, `# negative class: LABEL`; then the seal
/// (base/sealed_text.hpp), which a space at the end of the line of the threshold announces.

/// The kernel of a model; no more of the file is read.
[[nodiscard]] kernel::KernelDescription read_model_kernel(const std::string& path);

/// Reads a model; its support vectors are appended to `examples` (labelled +1 and -1 by sign) and their trees
/// to `forest`. Plain, gzip, zstd, `-`. Throws InputError with the line for anything that is not a whole
/// model.
[[nodiscard]] KernelModel read_kernel_model(const std::string& path, tree::Forest& forest,
                                            example::ExampleSet& examples);

/// Writes a model of examples of that set, whole or not at all.
void write_kernel_model(const std::string& path, const KernelModel& model, const tree::Forest& forest,
                        const example::ExampleSet& examples);

}  // namespace treeline::store
