#include "ksl/ksl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/output.hpp"
#include "common/learning.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "common/stop.hpp"
#include "example/distinct_examples.hpp"
#include "example/example_set.hpp"
#include "kernel/example_kernel.hpp"
#include "store/checkpoint.hpp"
#include "store/kernel_model.hpp"
#include "store/model_list.hpp"

namespace treeline::ksl {

namespace fs = std::filesystem;

namespace {

/// Coefficients of a model's support vectors, given to the training examples that equal them.
std::vector<double> start_from(const std::string& path, const std::string& kernel, std::size_t examples,
                               tree::Forest& forest, example::ExampleSet& set) {
    const store::KernelModel model = store::read_kernel_model(path, forest, set);
    if (to_string(model.kernel) != kernel) {
        throw base::UsageError(fmt::format("'{}' is a model of the kernel {}, not of {}", path,
                                           to_string(model.kernel), kernel));
    }
    std::vector<std::uint32_t> all(set.size());
    std::iota(all.begin(), all.end(), 0U);
    const auto distinct = example::find_distinct(set, all);
    std::vector<double> coefficients(examples, 0);
    for (const auto& support : model.support) {
        const std::uint32_t first = distinct.first[distinct.which[support.example]];
        if (first < examples) {
            coefficients[first] += support.coefficient;
        }
    }
    return coefficients;
}

class Training {
  public:
    Training(Options options, base::ProgressObserver& progress)
        : options_(std::move(options)),
          progress_(progress),
          kernel_(kernel::parse_kernel(options_.training.kernel)) {
        options_.training.trainer.seed = options_.common.seed;
        plan_ = plan();
    }

    stage::Summary run() {
        stage::Outputs outputs(plan_, {{options_.output, {}}}, options_.common, progress_);
        if (!outputs.begin()) {
            return {};
        }
        stage::stop_on_signals();
        const auto read = read_input();
        const auto classes = stage::naming_input(
            options_.input, [&] { return example::Classes(set_, subset_, options_.training.classes); });
        stage::warn_of_many_classes(classes.set().size(), set_.size(), progress_);
        kernel::require_fitting(kernel_, set_);
        stage::note_other_readings(kernel_, progress_);
        train(classes);
        write(classes, outputs);
        fs::remove(store::checkpoint_path(options_.output));
        return {.in = read.records(), .out = support_vectors_, .skipped = read.bad.skipped()};
    }

  private:
    [[nodiscard]] base::Plan plan() const {
        stage::Values values = stage::values_of(options_.training);
        values["limit"] = stage::value_of(options_.limit);
        std::vector<std::string> inputs{options_.input};
        if (!options_.start_from.empty()) {
            inputs.push_back(options_.start_from);
        }
        return stage::plan_work("ksl", std::move(values), options_.common, inputs);
    }

    example::ReadReport read_input() {
        const auto report = stage::read_examples(options_.input, options_.limit, stage::Labels::kNeeded,
                                                 options_.common, forest_, set_, progress_);
        subset_.resize(set_.size());
        std::iota(subset_.begin(), subset_.end(), 0U);
        return report;
    }

    void train(const example::Classes& classes) {
        const std::size_t count = classes.questions().size();
        const store::Checkpoint reached = load_checkpoint();
        std::vector<double> initial;
        if (!options_.start_from.empty()) {
            if (count > 1) {
                throw base::UsageError("--start-from takes the model of two classes; there are " +
                                       std::to_string(count));
            }
            initial = start_from(options_.start_from, to_string(kernel_), subset_.size(), forest_, set_);
        }
        options_.training.trainer.memory = stage::memory_for_rows(options_.common.memory, subset_.size());
        svm::TrainingStart start{
            .finished = {reached.machines.begin(),
                         reached.machines.begin() + static_cast<std::ptrdiff_t>(reached.finished)},
            .initial = std::move(initial)};
        for (std::size_t q = 0; q < start.finished.size(); ++q) {
            const auto& coefficients = start.finished[q].coefficients;
            counts_[classes.questions()[q].positive + ": support vectors"] = static_cast<double>(
                std::ranges::count_if(coefficients, [](double coefficient) { return coefficient != 0; }));
        }
        if (reached.finished < reached.machines.size()) {
            start.initial = reached.machines[reached.finished].coefficients;
        }
        bool unfinished = false;
        machines_ = svm::train_machines({kernel_, forest_, set_, subset_}, classes, options_.training, start,
                                        progress_, stage::stop_requested,
                                        [&](std::size_t q, const svm::TrainingOutcome& outcome) {
                                            unfinished = !outcome.converged && stage::stop_requested();
                                            if (!unfinished) {
                                                report(classes.questions()[q].positive, count, outcome);
                                            }
                                        });
        if (unfinished) {
            leave_checkpoint(machines_.size() - 1);
        }
    }

    void report(const std::string& positive, std::size_t count, const svm::TrainingOutcome& outcome) {
        progress_.detail(positive + ": " + stage::to_string(outcome));
        for (const auto& [name, value] : outcome.counts) {
            counts_[count > 1 ? positive + ": " + name : name] = value;
        }
    }

    [[nodiscard]] std::string work_digest() const {
        return base::digest_bytes(base::to_json(plan_.manifest));
    }

    store::Checkpoint load_checkpoint() {
        const std::string path = store::checkpoint_path(options_.output);
        if (!options_.resume) {
            return {};
        }
        if (!fs::exists(path)) {
            progress_.note("there is no '" + path + "' to take up; starting from the beginning");
            return {};
        }
        store::Checkpoint checkpoint = store::read_checkpoint(path, subset_.size());
        if (checkpoint.work != work_digest()) {
            throw base::UsageError(
                "'" + path +
                "' was left by a run on other data or with other options; remove it or leave out --resume");
        }
        progress_.note(fmt::format("taking up '{}': {} machines finished", path, checkpoint.finished));
        // The optimum is the same within --epsilon; the last digits need not be.
        counts_["resumed"] = true;
        return checkpoint;
    }

    [[noreturn]] void leave_checkpoint(std::size_t finished) {
        const std::string path = store::checkpoint_path(options_.output);
        store::write_checkpoint(path, {work_digest(), finished, machines_});
        throw base::Error("interrupted; what was reached is in '" + path + "': go on with --resume");
    }

    void write(const example::Classes& classes, stage::Outputs& outputs) {
        counts_["examples"] = stage::value_of(subset_.size());
        if (machines_.size() == 1) {
            const auto model =
                store::make_kernel_model(kernel_, machines_[0], subset_, classes.questions()[0]);
            support_vectors_ = model.support.size();
            store::write_kernel_model(options_.output, model, forest_, set_);
            const auto& question = classes.questions()[0];
            store::record_models(counts_, {{fs::path(options_.output).filename().string(), question.positive,
                                            question.negative, 0}});
            outputs.record(counts_);
            return;
        }
        base::AtomicFolder folder(options_.output);
        std::vector<store::ListedModel> models;
        for (std::size_t q = 0; q < machines_.size(); ++q) {
            const auto model =
                store::make_kernel_model(kernel_, machines_[q], subset_, classes.questions()[q]);
            support_vectors_ += model.support.size();
            const auto& question = classes.questions()[q];
            models.push_back(
                {store::class_file_name(q, question.positive), question.positive, question.negative, 0});
            const std::string path = (fs::path(folder.temporary_path()) / models.back().name).string();
            store::write_kernel_model(path, model, forest_, set_);
        }
        store::record_models(counts_, models);
        outputs.commit(folder, counts_);
    }

    Options options_;
    base::ProgressObserver& progress_;
    kernel::KernelDescription kernel_;
    base::Plan plan_;
    tree::Forest forest_;
    example::ExampleSet set_;
    std::vector<std::uint32_t> subset_;
    std::vector<svm::TrainedMachine> machines_;
    stage::Values counts_;
    std::uint64_t support_vectors_ = 0;
};

}  // namespace

void validate(const Options& options) {
    stage::validate(options.training);
    if (options.resume && options.output == "-") {
        throw base::UsageError("--resume needs an --output that is a file");
    }
    if (!options.start_from.empty() && options.training.trainer.solver != svm::Solver::kSmo) {
        throw base::UsageError("--start-from belongs to --solver smo");
    }
}

stage::Summary run(Options options, base::ProgressObserver& progress) {
    validate(options);
    return Training(std::move(options), progress).run();
}

}  // namespace treeline::ksl
