#include "classify/training.hpp"

#include <filesystem>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/manifest.hpp"
#include "base/output.hpp"
#include "classify/mining.hpp"
#include "example/classes.hpp"
#include "kernel/example_kernel.hpp"
#include "linear/block_dual.hpp"
#include "linear/linear_trainer.hpp"
#include "linear/newton.hpp"
#include "store/fragment_merger.hpp"
#include "store/model_list.hpp"

namespace treeline::classify {

namespace {

/// The support vectors of several machines, each once.
class SupportCollector {
  public:
    SupportCollector(const example::ExampleSet& examples, const tree::Forest& forest)
        : examples_(examples), forest_(forest) {}

    std::uint32_t add(std::uint32_t example) {
        const auto [found, added] = numbers_.emplace(example, static_cast<std::uint32_t>(own.size()));
        if (added) {
            own.add(examples_, example, forest_, own_forest);
        }
        return found->second;
    }

    tree::Forest own_forest;
    example::ExampleSet own;

  private:
    const example::ExampleSet& examples_;
    const tree::Forest& forest_;
    std::map<std::uint32_t, std::uint32_t> numbers_;
};

/// Rows in memory as the one block of blockwise training.
class OneBlock final : public linear::RowBlocks {
  public:
    explicit OneBlock(const linear::LinearProblem& problem) : problem_(problem) {}
    [[nodiscard]] std::size_t block_count() const override { return 1; }
    [[nodiscard]] const linear::LinearProblem& block(std::size_t) override { return problem_; }
    [[nodiscard]] std::size_t block_rows(std::size_t) const override { return problem_.rows.size(); }

  private:
    const linear::LinearProblem& problem_;
};

}  // namespace

KernelClassifier train_kernel_classifier(const example::ExampleSet& examples, const tree::Forest& forest,
                                         const svm::MachineOptions& options, base::ProgressObserver& observer,
                                         const std::function<bool()>& stop) {
    const kernel::KernelDescription kernel = kernel::parse_kernel(options.kernel);
    const std::vector<std::uint32_t> all = examples.all();
    const example::Classes classes(examples, all, options.classes);
    kernel::require_fitting(kernel, examples);
    const auto machines =
        svm::train_machines({kernel, forest, examples, all}, classes, options, {}, observer, stop);
    if (stop && stop()) {
        throw base::Error("interrupted");
    }
    SupportCollector support(examples, forest);
    std::vector<ClassMachines> trained;
    for (std::size_t q = 0; q < machines.size(); ++q) {
        const auto& question = classes.questions()[q];
        store::KernelModel model = store::make_kernel_model(kernel, machines[q], all, question);
        for (store::SupportVector& vector : model.support) {
            vector.example = support.add(vector.example);
        }
        trained.push_back({question.positive, question.negative, {std::move(model)}});
    }
    return {std::move(support.own_forest), std::move(support.own), std::move(trained)};
}

void write_kernel_classifier(const KernelClassifier& classifier, const std::string& path) {
    const auto write = [&](const std::string& file, const store::KernelModel& model) {
        store::write_kernel_model(file, model, classifier.forest(), classifier.examples());
    };
    base::Manifest manifest;
    manifest.stage = "write_kernel_classifier";
    manifest.version = base::program_version();
    std::vector<store::ListedModel> models;
    if (classifier.classes().size() == 1 && classifier.classes()[0].models.size() == 1) {
        const store::KernelModel& model = classifier.classes()[0].models[0];
        write(path, model);
        models.push_back({std::filesystem::path(path).filename().string(), model.classes.positive,
                          model.classes.negative, 0});
        store::record_models(manifest.counts, models);
        manifest.outputs.push_back(base::describe_file(path));
        base::write_manifest(base::manifest_path(path), manifest);
        return;
    }
    base::AtomicFolder folder(path);
    const std::filesystem::path inside = folder.temporary_path();
    for (std::size_t q = 0; q < classifier.classes().size(); ++q) {
        const ClassMachines& machines = classifier.classes()[q];
        for (std::size_t split = 0; split < machines.models.size(); ++split) {
            const std::string class_file = store::class_file_name(q, machines.positive);
            const bool several = machines.models.size() > 1;
            models.push_back(
                {several ? store::split_file_name(split + 1, machines.models.size(), class_file) : class_file,
                 machines.positive, machines.negative, several ? split + 1 : 0});
            const std::string file = (inside / models.back().name).string();
            write(file, machines.models[split]);
            manifest.outputs.push_back(base::describe_file(file));
        }
    }
    store::record_models(manifest.counts, models);
    base::write_manifest((inside / base::formats::kManifestFile).string(), manifest);
    folder.commit();
}

store::DictionarySummary mine_dictionary(const KernelClassifier& classifier,
                                         const fragment::MinerOptions& options, const std::string& path,
                                         base::ProgressObserver& observer) {
    std::size_t count = 0;
    for (const ClassMachines& machines : classifier.classes()) {
        count += machines.models.size();
    }
    store::FragmentMerger merger;
    std::size_t done = 0;
    observer.start("mining models", count);
    for (const ClassMachines& machines : classifier.classes()) {
        for (const store::KernelModel& machine : machines.models) {
            const MiningModel model = copy_model(machine, classifier.forest(), classifier.examples(),
                                                 "machine-" + std::to_string(done), machines.positive);
            (void)merger.add(mine_model(model, options).mined);
            observer.update(++done);
        }
    }
    observer.finish();
    base::Manifest manifest;
    manifest.stage = "mine_dictionary";
    manifest.version = base::program_version();
    return write_dictionary(merger, merger.ranked(), path, std::move(manifest), {}, observer);
}

store::LinearModelFile train_linear_model(const TreeSpace& space, const ExplicitRows& rows,
                                          const linear::LinearOptions& options,
                                          base::ProgressObserver& observer) {
    linear::validate(options);
    const linear::LinearProblem problem = rows.problem();
    linear::validate(problem);
    store::LinearModelFile file;
    file.info = space.info();
    if (problem.weights.empty() || linear::has_newton(options.solver)) {
        file.model = linear::train_linear(problem, options, observer);
        return file;
    }
    if (!linear::has_block_dual(options.solver)) {
        throw base::UsageError("examples have costs, which the solver " +
                               std::string(linear::name_of(options.solver).option) +
                               " does not know; l2r-l2loss-svc, l2r-lr and the dual SVMs do");
    }
    OneBlock block(problem);
    linear::BlockDualReport report;
    file.model = linear::train_blocks(block, problem, options, {}, report, observer);
    return file;
}

}  // namespace treeline::classify
