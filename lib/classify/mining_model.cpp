#include "classify/mining_model.hpp"

#include <cmath>
#include <filesystem>
#include <optional>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/text.hpp"
#include "example/example_set.hpp"
#include "store/kernel_model.hpp"
#include "store/model_list.hpp"
#include "tree/bracket_writer.hpp"

namespace treeline::classify {

std::pair<kernel::TreeKernel, double> minable_term(const kernel::KernelDescription& kernel) {
    const kernel::TreeKernel* found = nullptr;
    double weight = 0;
    for (const kernel::KernelTerm& term : kernel.terms) {
        for (const kernel::BasicKernel& factor : term.factors) {
            if (const auto* tree = std::get_if<kernel::TreeKernel>(&factor)) {
                if (found != nullptr || term.factors.size() != 1) {
                    throw base::UsageError("the kernel " + kernel::to_string(kernel) +
                                           " cannot be mined: expected one tree kernel that is not a factor");
                }
                found = tree;
                weight = term.weight;
            }
        }
    }
    if (found == nullptr) {
        throw base::UsageError("the kernel " + kernel::to_string(kernel) + " has no tree kernel to mine");
    }
    return {*found, weight};
}

namespace {

/// The same of the model in `path`.
std::pair<kernel::TreeKernel, double> tree_term(const kernel::KernelDescription& kernel,
                                                const std::string& path) {
    try {
        return minable_term(kernel);
    } catch (const base::UsageError& error) {
        throw base::InputError({path}, error.what());
    }
}

/// `name` is what errors are about.
MiningModel make_model(const store::KernelModel& machine, std::unique_ptr<tree::Forest> forest,
                       const example::ExampleSet& examples, const std::string& name) {
    const auto [kernel, weight] = tree_term(machine.kernel, name);
    if (examples.most_trees() > 1 && kernel.pairing == kernel::Pairing::kAligned) {
        throw base::InputError(
            {name},
            "examples have several trees, compared one by one: their fragments live in spaces of "
            "their own and do not make one dictionary (pairs=all does)");
    }
    std::vector<tree::NodeId> roots;
    std::vector<double> coefficients;
    for (const store::SupportVector& vector : machine.support) {
        for (const tree::NodeId root : examples.trees(vector.example)) {
            roots.push_back(root);
            coefficients.push_back(weight * vector.coefficient);
        }
    }
    MiningModel model;
    model.forest = std::move(forest);
    model.space = std::make_unique<fragment::MiningSpace>(*model.forest, kernel, roots, coefficients);
    model.description.support_vectors = machine.support.size();
    model.description.norm = std::sqrt(model.space->squared_norm());
    return model;
}

}  // namespace

std::vector<ModelSource> list_sources(const std::vector<std::string>& paths) {
    std::vector<ModelSource> sources;
    for (const std::string& path : paths) {
        const std::filesystem::path file(path);
        const bool manifest = file.filename() == base::formats::kManifestFile;
        const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
        for (const store::ListedModel& model : store::list_models(manifest ? folder : path)) {
            sources.push_back({model.name, model.positive});
        }
    }
    return sources;
}

void require_one_kernel(const std::vector<ModelSource>& sources) {
    std::optional<kernel::TreeKernel> first;
    for (const ModelSource& source : sources) {
        if (source.path == "-") {
            continue;
        }
        const auto [kernel, weight] = tree_term(store::read_model_kernel(source.path), source.path);
        if (first && !(*first == kernel)) {
            throw base::InputError({source.path}, "a model with the kernel " +
                                                      kernel::to_string(kernel::BasicKernel(kernel)) +
                                                      ", and '" + sources.front().path + "' has " +
                                                      kernel::to_string(kernel::BasicKernel(*first)) +
                                                      "; expected one kernel for all models of a dictionary");
        }
        first = kernel;
    }
}

MiningModel read_model(const ModelSource& source) {
    auto forest = std::make_unique<tree::Forest>();
    example::ExampleSet examples;
    const store::KernelModel read =
        store::read_listed_model({.name = source.path, .positive = source.label}, *forest, examples);
    MiningModel model = make_model(read, std::move(forest), examples, source.path);
    model.description.name = std::filesystem::path(source.path).filename().string();
    model.description.digest = base::digest_file(source.path);
    model.description.label = read.classes.positive;
    return model;
}

MiningModel copy_model(const store::KernelModel& machine, const tree::Forest& forest,
                       const example::ExampleSet& examples, const std::string& name,
                       const std::string& label) {
    auto own_forest = std::make_unique<tree::Forest>();
    example::ExampleSet own;
    store::KernelModel copy = machine;
    std::string content = kernel::to_string(machine.kernel) + '\n';
    for (store::SupportVector& vector : copy.support) {
        own.add(examples, vector.example, forest, *own_forest);
        vector.example = static_cast<std::uint32_t>(own.size() - 1);
        content += base::format_double(vector.coefficient);
        for (const tree::NodeId root : own.trees(vector.example)) {
            content += ' ';
            if (root != example::kEmptyTree) {
                tree::append_tree(content, own_forest->text(root));
            }
        }
        content += '\n';
    }
    MiningModel model = make_model(copy, std::move(own_forest), own, name);
    model.description.name = name;
    model.description.digest = base::digest_bytes(content);
    model.description.label = label;
    return model;
}

}  // namespace treeline::classify
