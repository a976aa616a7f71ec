#include "classify/kernel_classifier.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>

#include "base/parallel.hpp"
#include "example/class_set.hpp"
#include "kernel/example_kernel.hpp"
#include "kernel/kernel_space.hpp"
#include "store/model_list.hpp"

namespace treeline::classify {

namespace {

/// Examples that are classified together.
constexpr std::size_t kBlock = 8192;
constexpr std::uint64_t kBytesPerExampleAtWork = 4096;

/// A machine as sums see it, and the class that it belongs to.
struct Machine {
    std::size_t column;
    const store::KernelModel* model;
    double share;  ///< of the class's value: 1 / machines of the class
};

/// Machines by the text of their kernel.
std::map<std::string, std::vector<Machine>> by_kernel(const std::vector<ClassMachines>& classes) {
    std::map<std::string, std::vector<Machine>> groups;
    for (std::size_t column = 0; column < classes.size(); ++column) {
        const double share = 1 / static_cast<double>(classes[column].models.size());
        for (const auto& model : classes[column].models) {
            groups[to_string(model.kernel)].push_back({column, &model, share});
        }
    }
    return groups;
}

void add_block(const kernel::KernelSpace& space, const std::vector<Machine>& machines,
               std::span<const std::uint32_t> targets, std::size_t begin, Decisions& decisions) {
    const auto block = space.make_block(targets);
    std::vector<double> sums(targets.size());
    for (const Machine& machine : machines) {
        std::vector<kernel::WeightedExample> support;
        for (const auto& vector : machine.model->support) {
            support.push_back({vector.example, vector.coefficient});
        }
        std::ranges::fill(sums, 0.0);
        block->add_at_targets(support, sums);
        for (std::size_t k = 0; k < targets.size(); ++k) {
            decisions.values[(begin + k) * decisions.columns + machine.column] +=
                machine.share * (sums[k] - machine.model->threshold);
        }
    }
}

Decisions classify_in(const std::vector<ClassMachines>& classes, const tree::Forest& forest,
                      const example::ExampleSet& examples, std::span<const std::uint32_t> targets,
                      base::ProgressObserver& observer) {
    Decisions decisions{.columns = classes.size(), .values = {}};
    decisions.values.resize(targets.size() * classes.size());
    const auto groups = by_kernel(classes);
    observer.start("classifying", targets.size() * groups.size());
    std::atomic<std::uint64_t> done = 0;
    for (const auto& group : groups) {
        const auto& machines = group.second;
        kernel::require_fitting(machines[0].model->kernel, examples, targets);
        kernel::KernelSpace space(machines[0].model->kernel, forest, examples);
        const std::vector<std::uint32_t> all = examples.all();
        space.prepare(all);
        base::parallel_pieces(targets.size(), kBlock, [&](std::size_t begin, std::size_t end) {
            add_block(space, machines, targets.subspan(begin, end - begin), begin, decisions);
            observer.update(done += end - begin);
        });
    }
    observer.finish();
    return decisions;
}

}  // namespace

KernelClassifier::KernelClassifier(tree::Forest forest, example::ExampleSet examples,
                                   std::vector<ClassMachines> classes)
    : forest_(std::move(forest)), examples_(std::move(examples)), classes_(std::move(classes)) {
    for (const ClassMachines& machines : classes_) {
        labels_.push_back(machines.positive);
    }
    if (classes_.size() == 1) {
        labels_.push_back(classes_[0].negative.empty() ? example::rest_of(labels_[0]) : classes_[0].negative);
    }
}

KernelClassifier KernelClassifier::read(const std::string& path, base::ProgressObserver& observer) {
    tree::Forest forest;
    example::ExampleSet examples;
    std::vector<ClassMachines> classes;
    for (const auto& listed : store::list_models(path)) {
        observer.start("reading " + listed.name, 0);
        auto model = store::read_listed_model(listed, forest, examples);
        observer.finish();
        auto found = std::ranges::find(classes, model.classes.positive, &ClassMachines::positive);
        if (found == classes.end()) {
            classes.push_back({model.classes.positive, model.classes.negative, {}});
            found = classes.end() - 1;
        }
        found->models.push_back(std::move(model));
    }
    return {std::move(forest), std::move(examples), std::move(classes)};
}

std::string_view KernelClassifier::gold_label(std::string_view name) const {
    const bool one_against_rest = classes_.size() == 1 && classes_[0].negative.empty();
    return !one_against_rest ? name : labels_[example::same_class(name, labels_[0]) ? 0 : 1];
}

Decisions KernelClassifier::classify(std::span<const std::uint32_t> targets,
                                     base::ProgressObserver& observer) const {
    return classify_in(classes_, forest_, examples_, targets, observer);
}

Decisions KernelClassifier::classify(const example::ExampleSet& examples, const tree::Forest& forest,
                                     base::ProgressObserver& observer) const {
    tree::Forest all_trees;
    example::ExampleSet all;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
        all.add(examples_, i, forest_, all_trees);
    }
    for (std::size_t i = 0; i < examples.size(); ++i) {
        all.add(examples, i, forest, all_trees);
    }
    std::vector<std::uint32_t> targets(examples.size());
    std::iota(targets.begin(), targets.end(), static_cast<std::uint32_t>(examples_.size()));
    return classify_in(classes_, all_trees, all, targets, observer);
}

std::uint64_t KernelClassifier::bytes_needed(std::size_t examples) const {
    return examples * (classes_.size() + 1) * sizeof(double) +
           base::current_threads() * kBlock * kBytesPerExampleAtWork;
}

}  // namespace treeline::classify
