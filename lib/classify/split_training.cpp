#include "classify/split_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/manifest.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "evaluate/splits.hpp"
#include "kernel/example_kernel.hpp"
#include "store/kernel_model.hpp"

namespace treeline::classify {

SplitMachines::SplitMachines(const example::Classes& classes, std::vector<std::vector<std::uint32_t>> parts,
                             std::size_t splits)
    : classes_(&classes), parts_(std::move(parts)), absent_(classes.questions().size()) {
    const auto& questions = classes.questions();
    std::vector<std::vector<double>> labels;
    for (std::size_t q = 0; q < questions.size(); ++q) {
        labels.push_back(classes.labels(q));
    }
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        first_of_.push_back(models_.size());
        for (std::size_t q = 0; q < questions.size(); ++q) {
            const auto of_class =
                std::ranges::count_if(parts_[part], [&](std::uint32_t i) { return labels[q][i] > 0; });
            if (of_class == 0 || of_class == std::ssize(parts_[part])) {
                ++absent_[q];
                continue;
            }
            const auto& [positive, negative] = questions[q];
            const std::string class_file = questions.size() > 1 ? store::class_file_name(q, positive) : "";
            models_.push_back(
                {store::split_file_name(part + 1, splits, class_file), positive, negative, part + 1});
            question_of_.push_back(q);
        }
    }
    first_of_.push_back(models_.size());
    if (models_.empty()) {
        throw base::UsageError(
            fmt::format("none of {} splits has examples of two classes; use fewer splits", parts_.size()));
    }
}

void SplitMachines::train(std::size_t part, const example::ExampleSet& examples, const tree::Forest& forest,
                          const svm::MachineOptions& options, const std::function<bool(std::size_t)>& wanted,
                          const std::function<bool()>& stop, const Done& done) const {
    tree::Forest own_forest;
    example::ExampleSet own;
    for (const std::uint32_t example : parts_[part]) {
        own.add(examples, example, forest, own_forest);
    }
    const kernel::KernelDescription kernel = kernel::parse_kernel(options.kernel);
    kernel::require_fitting(kernel, own);
    const std::vector<std::uint32_t> all = own.all();
    const auto trainer =
        svm::make_kernel_trainer({kernel, own_forest, own, all}, options.trainer, base::silent_observer());
    for (std::size_t model = first_of_[part]; model < first_of_[part + 1] && !stop(); ++model) {
        if (!wanted(model)) {
            continue;
        }
        const auto all_labels = classes_->labels(question_of_[model]);
        std::vector<double> labels;
        std::ranges::transform(parts_[part], std::back_inserter(labels),
                               [&](std::uint32_t i) { return all_labels[i]; });
        const auto costs = svm::example_costs(own, all, labels, options.cost_factor);
        const svm::TrainingOutcome outcome = trainer->train({labels, costs}, {}, stop);
        if (!outcome.converged && stop()) {
            return;
        }
        done(model, outcome,
             store::make_kernel_model(kernel, outcome.machine, all,
                                      {models_[model].positive, models_[model].negative}),
             own_forest, own);
    }
}

std::size_t train_split_models(const example::ExampleSet& examples, const tree::Forest& forest,
                               const svm::MachineOptions& options, std::size_t splits,
                               const std::string& folder, base::ProgressObserver& progress,
                               const std::function<bool()>& stop) {
    const example::Classes classes(examples, examples.all(), options.classes);
    const std::size_t count = splits > 0 ? splits : evaluate::suggest_split_count(classes.members());
    const SplitMachines machines(
        classes,
        evaluate::split_examples(classes.members(), count, evaluate::Splitting::kStratified,
                                 options.trainer.seed),
        count);
    const std::size_t parts = machines.parts().size();
    svm::MachineOptions each = options;
    each.trainer.memory /= std::min(parts, base::current_threads());
    each.trainer.tasks = classes.questions().size();
    base::AtomicFolder output(folder);
    const std::filesystem::path inside = output.temporary_path();
    std::atomic<std::uint64_t> done = 0;
    progress.start("training models", machines.models().size());
    base::parallel_pieces(parts, 1, [&](std::size_t part, std::size_t) {
        base::run_isolated([&] {
            machines.train(
                part, examples, forest, each, [](std::size_t) { return true; }, stop,
                [&](std::size_t model, const svm::TrainingOutcome&, const store::KernelModel& trained,
                    const tree::Forest& own_forest, const example::ExampleSet& own) {
                    store::write_kernel_model((inside / machines.models()[model].name).string(), trained,
                                              own_forest, own);
                    progress.update(++done);
                });
        });
    });
    progress.finish();
    if (stop()) {
        throw base::Error("interrupted; nothing is written");
    }
    base::Manifest manifest;
    manifest.stage = "train_split_models";
    manifest.version = base::program_version();
    store::record_models(manifest.counts, machines.models());
    for (const store::ListedModel& model : machines.models()) {
        manifest.outputs.push_back(base::describe_file((inside / model.name).string()));
    }
    base::write_manifest((inside / base::formats::kManifestFile).string(), manifest);
    output.commit();
    return machines.models().size();
}

}  // namespace treeline::classify
