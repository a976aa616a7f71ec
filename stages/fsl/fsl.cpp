#include "fsl/fsl.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/names.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/parts_folder.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "common/stop.hpp"
#include "example/example_set.hpp"
#include "fsl/split_choice.hpp"
#include "kernel/example_kernel.hpp"
#include "store/kernel_model.hpp"
#include "store/model_list.hpp"

namespace treeline::fsl {

namespace fs = std::filesystem;

namespace {

constexpr const char* kTrainSplits = "train-splits";

using Wanted = std::function<bool(std::uint64_t)>;

class SplitTraining {
  public:
    SplitTraining(Options options, base::ProgressObserver& progress)
        : options_(std::move(options)),
          progress_(progress),
          kernel_(kernel::parse_kernel(options_.training.kernel)) {
        options_.training.trainer.seed = options_.common.seed;
        if (!options_.split.empty()) {
            choice_ = parse_split(options_.split);
            options_.splits = choice_.count;
        }
    }

    stage::Summary run() {
        plan();
        const base::PartsFolder whole(options_.output, plan_, {}, false);
        if (!options_.common.force && whole.is_finished()) {
            progress_.note("'" + options_.output + "' is up to date");
            return {};
        }
        whole.make();
        stage::stop_on_signals();
        // Where few splits are trained, labels are read first, which is enough to split; then the trees of
        // those splits.
        const bool skim =
            !base::is_stream(options_.input) && (choice_.number != 0 || options_.train_splits > 0);
        const auto read = read_input(skim ? [](std::uint64_t) { return false; } : Wanted{});
        const example::Classes classes(set_, all_of(set_), options_.training.classes);
        questions_ = classes.questions();
        if (options_.splits == 0) {
            options_.splits = evaluate::suggest_split_count(classes.members());
            progress_.note(fmt::format("{} split{} of {} examples", options_.splits,
                                       options_.splits == 1 ? "" : "s", set_.size()));
        }
        parts_ = evaluate::split_examples(classes.members(), options_.splits, options_.splitting,
                                          options_.common.seed);
        if (options_.train_splits > 0) {
            parts_.resize(options_.train_splits);
        }
        list_models(classes);
        const auto missing = missing_splits();
        if (skim && !missing.empty()) {
            read_trees_of(missing);
        }
        train(classes, missing);
        finish();
        return {.in = read.records(), .out = made_, .skipped = read.bad.skipped()};
    }

  private:
    void plan() {
        stage::Values values = stage::values_of(options_.training);
        values["splits"] = stage::value_of(options_.splits);
        values[kTrainSplits] = stage::value_of(options_.train_splits);
        values["splitting"] = std::string(base::name_of(evaluate::kSplittingNames, options_.splitting));
        values["limit"] = stage::value_of(options_.limit);
        plan_ = stage::plan_work("fsl", std::move(values), options_.common, {options_.input});
    }

    example::ReadReport read_input(const Wanted& wanted) {
        set_ = {};
        return stage::read_examples(options_.input, options_.limit, stage::Labels::kNeeded, options_.common,
                                    forest_, set_, progress_, wanted);
    }

    void read_trees_of(const std::vector<std::size_t>& splits) {
        std::vector<bool> wanted(set_.size());
        for (const std::size_t split : splits) {
            for (const std::uint32_t example : parts_[split]) {
                wanted[example] = true;
            }
        }
        const auto read =
            read_input([&](std::uint64_t number) { return number < wanted.size() && wanted[number]; });
        if (read.examples != wanted.size()) {
            throw base::Error("'" + options_.input + "' has changed while it was read");
        }
    }

    [[nodiscard]] static std::vector<std::uint32_t> all_of(const example::ExampleSet& set) {
        std::vector<std::uint32_t> all(set.size());
        std::iota(all.begin(), all.end(), 0U);
        return all;
    }

    /// All models, each with what it is made from: it does not depend on how many others there are. A class takes part in the
    /// splits that have examples of it.
    void list_models(const example::Classes& classes) {
        std::vector<base::PartsFolder::Part> parts;
        std::vector<std::size_t> absent(questions_.size());
        const auto present = find_present(classes);
        for (std::size_t split = 0; split < parts_.size(); ++split) {
            first_of_.push_back(models_.size());
            for (std::size_t q = 0; q < questions_.size(); ++q) {
                if (!present[q][split]) {
                    ++absent[q];
                    continue;
                }
                const auto& [positive, negative] = questions_[q];
                const std::string class_file =
                    questions_.size() > 1 ? store::class_file_name(q, positive) : "";
                models_.push_back({store::split_file_name(split + 1, options_.splits, class_file), positive,
                                   negative, split + 1});
                question_of_.push_back(q);
                base::Plan plan = plan_;
                plan.manifest.options.erase(kTrainSplits);
                plan.manifest.options["splits"] = stage::value_of(options_.splits);
                plan.manifest.options["split"] = stage::value_of(split + 1);
                plan.manifest.options["class"] = positive;
                parts.push_back({models_.back().name, std::move(plan)});
            }
        }
        first_of_.push_back(models_.size());
        to_be_made_.assign(parts.size(), false);
        tell_absent(absent);
        folder_.emplace(options_.output, plan_, std::move(parts), false);
    }

    /// Says once how many models there cannot be; throws where there is none at all.
    void tell_absent(const std::vector<std::size_t>& absent) {
        if (models_.empty()) {
            throw base::UsageError(fmt::format(
                "none of {} splits has examples of two classes; use fewer splits", parts_.size()));
        }
        std::vector<std::string> said;
        for (std::size_t q = 0; q < questions_.size(); ++q) {
            if (absent[q] > 0) {
                said.push_back(fmt::format("{} ({})", questions_[q].positive, absent[q]));
            }
        }
        if (!said.empty()) {
            progress_.note(fmt::format(
                "classes that some of the {} splits have no examples of, or no others, and no model: {}",
                parts_.size(), fmt::join(said, ", ")));
        }
    }

    /// By question and split: whether the split has examples of the class and others.
    [[nodiscard]] std::vector<std::vector<bool>> find_present(const example::Classes& classes) const {
        std::vector<std::vector<bool>> present;
        for (std::size_t q = 0; q < questions_.size(); ++q) {
            const std::vector<double> labels = classes.labels(q);
            present.emplace_back();
            for (const std::vector<std::uint32_t>& part : parts_) {
                const auto of_class =
                    std::ranges::count_if(part, [&](std::uint32_t i) { return labels[i] > 0; });
                present[q].push_back(of_class > 0 && of_class < std::ssize(part));
            }
        }
        return present;
    }

    [[nodiscard]] std::vector<std::size_t> missing_splits() {
        std::vector<std::size_t> missing;
        for (std::size_t split = 0; split < parts_.size(); ++split) {
            if (choice_.number != 0 && split + 1 != choice_.number) {
                continue;
            }
            bool complete = true;
            for (std::size_t model = first_of_[split]; model < first_of_[split + 1]; ++model) {
                const auto output = folder_->output(model);
                to_be_made_[model] = stage::has_to_be_made(output, options_.common);
                complete = complete && !to_be_made_[model];
                if (to_be_made_[model] && fs::exists(output.path()) && !options_.common.force) {
                    progress_.note("'" + output.path() +
                                   "' was made otherwise or is damaged: making it again");
                }
            }
            if (!complete) {
                missing.push_back(split);
            }
        }
        if (!missing.empty()) {
            folder_->reopen();
        }
        return missing;
    }

    void train(const example::Classes& classes, const std::vector<std::size_t>& missing) {
        if (missing.empty()) {
            return;
        }
        const std::size_t together = std::min(missing.size(), base::current_threads());
        std::size_t largest = 0;
        for (const std::size_t split : missing) {
            largest = std::max(largest, parts_[split].size());
        }
        const std::uint64_t copies = together * (forest_.bytes() + set_.bytes());
        options_.training.trainer.memory =
            stage::memory_for_rows(options_.common.memory, together * largest, copies) / together;
        options_.training.trainer.tasks = questions_.size();
        stage::note_other_readings(kernel_, progress_);
        std::size_t models = 0;
        for (const std::size_t split : missing) {
            models += first_of_[split + 1] - first_of_[split];
        }
        progress_.start("training models", models);
        // One split on one thread each, as long as there are enough of them; a thread that waits for parts of
        // its own split must not begin another one, whose memory has not been counted.
        base::parallel_pieces(missing.size(), 1, [&](std::size_t begin, std::size_t) {
            tbb::this_task_arena::isolate([&] { train_split(classes, missing[begin]); });
        });
        progress_.finish();
        if (stage::stop_requested()) {
            throw base::Error("interrupted; finished models are in '" + options_.output +
                              "': run again to make the others");
        }
    }

    /// The examples of a split with a forest of their own: rounding follows the numbers of nodes, and a model
    /// must not depend on which other splits are read beside its own.
    struct SplitExamples {
        tree::Forest forest;
        example::ExampleSet set;
    };
    [[nodiscard]] SplitExamples examples_of(const std::vector<std::uint32_t>& part) const {
        SplitExamples own;
        for (const std::uint32_t example : part) {
            own.set.add(set_, example, forest_, own.forest);
        }
        return own;
    }

    void train_split(const example::Classes& classes, std::size_t split) {
        const std::vector<std::uint32_t>& part = parts_[split];
        const SplitExamples own = examples_of(part);
        kernel::require_fitting(kernel_, own.set);
        const std::vector<std::uint32_t> all = all_of(own.set);
        const auto trainer = svm::make_kernel_trainer({kernel_, own.forest, own.set, all},
                                                      options_.training.trainer, base::silent_observer());
        for (std::size_t model = first_of_[split]; model < first_of_[split + 1] && !stage::stop_requested();
             ++model) {
            if (!to_be_made_[model]) {
                continue;
            }
            const auto all_labels = classes.labels(question_of_[model]);
            std::vector<double> labels;
            std::ranges::transform(part, std::back_inserter(labels),
                                   [&](std::uint32_t i) { return all_labels[i]; });
            const auto costs = svm::example_costs(own.set, all, labels, options_.training.cost_factor);
            const auto outcome = trainer->train({labels, costs}, {}, stage::stop_requested);
            if (!outcome.converged && stage::stop_requested()) {
                return;
            }
            write(model, outcome, own);
            progress_.update(++done_);
        }
    }

    void write(std::size_t model, const svm::TrainingOutcome& outcome, const SplitExamples& own) {
        base::PlannedOutput output = folder_->output(model);
        output.begin();
        store::write_kernel_model(
            output.path(),
            store::make_kernel_model(kernel_, outcome.machine, all_of(own.set),
                                     {models_[model].positive, models_[model].negative}),
            own.forest, own.set);
        stage::Values counts;
        for (const auto& [name, value] : outcome.counts) {
            counts[name] = value;
        }
        counts["examples"] = stage::value_of(own.set.size());
        store::record_models(counts, {models_[model]});
        output.record(counts);
        progress_.note(fmt::format("{}: {}", models_[model].name, stage::to_string(outcome)));
    }

    /// The manifest of the folder, once all models are there.
    void finish() {
        made_ = done_;
        if (const auto missing = folder_->missing(); !missing.empty()) {
            progress_.note(fmt::format(
                "{} of {} models are still missing; run fsl for the other splits, then without --split",
                missing.size(), models_.size()));
            return;
        }
        stage::Values counts;
        store::record_models(counts, models_);
        counts["examples"] = stage::value_of(set_.size());
        folder_->finish(std::move(counts));
    }

    Options options_;
    base::ProgressObserver& progress_;
    kernel::KernelDescription kernel_;
    SplitChoice choice_;
    base::Plan plan_;
    std::vector<store::ListedModel> models_;  // by split, then by question
    std::vector<std::size_t> question_of_;    // of each model
    std::vector<std::size_t> first_of_;       // number of the first model of each split, and of all
    std::vector<char> to_be_made_;            // which of them
    std::optional<base::PartsFolder> folder_;
    tree::Forest forest_;
    example::ExampleSet set_;
    std::vector<example::ClassQuestion> questions_;
    std::vector<std::vector<std::uint32_t>> parts_;
    std::atomic<std::uint64_t> done_ = 0;
    std::uint64_t made_ = 0;
};

}  // namespace

void validate(const Options& options) {
    stage::validate(options.training);
    if (options.train_splits > 0 && options.splits == 0 && options.split.empty()) {
        throw base::UsageError("--train-splits needs --splits");
    }
    if (options.output == "-") {
        throw base::UsageError("--output is a folder");
    }
    const SplitChoice choice =
        options.split.empty() ? SplitChoice{0, options.splits} : parse_split(options.split);
    if (options.train_splits > choice.count ||
        (options.train_splits > 0 && choice.number > options.train_splits)) {
        throw base::UsageError(
            fmt::format("--train-splits {} of {} splits", options.train_splits, choice.count) +
            (choice.number > 0 ? fmt::format(", and --split {}", options.split) : ""));
    }
}

stage::Summary run(Options options, base::ProgressObserver& progress) {
    validate(options);
    return SplitTraining(std::move(options), progress).run();
}

}  // namespace treeline::fsl
