#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "example/example_set.hpp"
#include "fragment/mining_space.hpp"
#include "kernel/description.hpp"
#include "store/kernel_model.hpp"
#include "store/mined_file.hpp"
#include "tree/forest.hpp"

namespace treeline::classify {

/// A kernel model that is ready to be mined. It has a forest of its own, so that its fragments and their
/// weights depend on it alone, not on the models beside it.
struct MiningModel {
    store::DictionaryModel description;
    std::unique_ptr<tree::Forest> forest;
    std::unique_ptr<fragment::MiningSpace> space;
};

/// A model to be read.
struct ModelSource {
    std::string path;
    std::string label;  ///< its positive class, unless the file says another
};

/// Model files that paths stand for: files, folders with a manifest, or such a manifest itself.
[[nodiscard]] std::vector<ModelSource> list_sources(const std::vector<std::string>& paths);

/// The one tree kernel that is a term of its own in a sum, and its weight: what can be mined. Throws UsageError where there
/// is none, or several.
[[nodiscard]] std::pair<kernel::TreeKernel, double> minable_term(const kernel::KernelDescription& kernel);

/// Looks at the heads of the models alone. Throws InputError where one cannot be mined or has another kernel than the first.
void require_one_kernel(const std::vector<ModelSource>& sources);

/// Reads a model. Its kernel must hold one tree kernel as a term of its own (vectors beside it are left out),
/// and its examples one tree each unless all trees are paired with all; throws InputError otherwise.
[[nodiscard]] MiningModel read_model(const ModelSource& source);

/// The same of a machine in memory, whose support vectors are in `examples` and `forest`. `name` and `label` (its
/// positive class) describe it in the dictionary.
[[nodiscard]] MiningModel copy_model(const store::KernelModel& machine, const tree::Forest& forest,
                                     const example::ExampleSet& examples, const std::string& name,
                                     const std::string& label);

}  // namespace treeline::classify
