#include "fsl/fsl.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/names.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/parts_folder.hpp"
#include "classify/mining_model.hpp"
#include "classify/split_training.hpp"
#include "common/learning.hpp"
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
        const auto classes = stage::naming_input(
            options_.input, [&] { return example::Classes(set_, all_of(set_), options_.training.classes); });
        stage::warn_of_many_classes(classes.set().size(), set_.size(), progress_);
        if (options_.splits == 0) {
            options_.splits = evaluate::suggest_split_count(classes.members());
            progress_.note(fmt::format("{} split{} of {} examples", options_.splits,
                                       options_.splits == 1 ? "" : "s", set_.size()));
        }
        auto parts = evaluate::split_examples(classes.members(), options_.splits, options_.splitting,
                                              options_.common.seed);
        if (options_.train_splits > 0) {
            parts.resize(options_.train_splits);
        }
        machines_.emplace(classes, std::move(parts), options_.splits);
        list_models();
        remove_others();
        const auto missing = missing_splits();
        if (skim && !missing.empty()) {
            read_trees_of(missing);
        }
        train(missing);
        finish();
        return {.in = read.records(), .out = made_, .skipped = read.bad.skipped()};
    }

  private:
    void plan() {
        stage::Values values = stage::values_of(options_.training);
        values["splits"] = stage::value_of(options_.splits);
        values[kTrainSplits] = stage::value_of(options_.train_splits);
        values["splitting"] = stage::value_of(evaluate::kSplittingNames, options_.splitting);
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
            for (const std::uint32_t example : machines_->parts()[split]) {
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

    /// All models, each with what it is made from: it does not depend on how many others there are.
    void list_models() {
        std::vector<base::PartsFolder::Part> parts;
        for (const store::ListedModel& model : machines_->models()) {
            base::Plan plan = plan_;
            plan.manifest.options.erase(kTrainSplits);
            plan.manifest.options["splits"] = stage::value_of(options_.splits);
            plan.manifest.options["split"] = stage::value_of(model.split);
            plan.manifest.options["class"] = model.positive;
            parts.push_back({model.name, std::move(plan)});
        }
        to_be_made_.assign(parts.size(), false);
        tell_absent();
        folder_.emplace(options_.output, plan_, std::move(parts), false);
    }

    /// Models of another number of splits, or of other classes, are of other work; those of splits that are not trained this
    /// time stay.
    void remove_others() {
        const auto& questions = machines_->questions();
        std::set<std::string> ours;
        for (std::size_t split = 1; split <= options_.splits; ++split) {
            for (std::size_t q = 0; q < questions.size(); ++q) {
                ours.insert(store::split_file_name(
                    split, options_.splits,
                    questions.size() > 1 ? store::class_file_name(q, questions[q].positive) : ""));
            }
        }
        std::vector<std::string> others = folder_->find_others(std::string(base::formats::kSplitPrefix));
        std::erase_if(others, [&](const std::string& name) { return ours.contains(name); });
        for (const std::string& name : others) {
            (void)stage::has_to_be_made(base::PlannedOutput(folder_->path_of(name), plan_), options_.common);
        }
        if (!others.empty()) {
            folder_->reopen();
        }
        for (const std::string& name : others) {
            folder_->remove(name);
        }
    }

    /// Says once how many models there cannot be.
    void tell_absent() {
        std::vector<std::string> said;
        for (std::size_t q = 0; q < machines_->questions().size(); ++q) {
            if (machines_->absent()[q] > 0) {
                said.push_back(
                    fmt::format("{} ({})", machines_->questions()[q].positive, machines_->absent()[q]));
            }
        }
        if (!said.empty()) {
            progress_.note(fmt::format(
                "classes that some of the {} splits have no examples of, or no others, and no model: {}",
                machines_->parts().size(), fmt::join(said, ", ")));
        }
    }

    [[nodiscard]] std::vector<std::size_t> missing_splits() {
        std::vector<std::size_t> missing;
        for (std::size_t split = 0; split < machines_->parts().size(); ++split) {
            if (choice_.number != 0 && split + 1 != choice_.number) {
                continue;
            }
            bool complete = true;
            for (std::size_t model = machines_->first_of(split); model < machines_->first_of(split + 1);
                 ++model) {
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

    void train(const std::vector<std::size_t>& missing) {
        if (missing.empty()) {
            return;
        }
        const std::size_t together = std::min(missing.size(), base::current_threads());
        std::size_t largest = 0;
        for (const std::size_t split : missing) {
            largest = std::max(largest, machines_->parts()[split].size());
        }
        const std::uint64_t copies = together * (forest_.bytes() + set_.bytes());
        options_.training.trainer.memory =
            stage::memory_for_rows(options_.common.memory, together * largest, copies) / together;
        options_.training.trainer.tasks = machines_->questions().size();
        stage::note_other_readings(kernel_, progress_);
        std::size_t models = 0;
        for (const std::size_t split : missing) {
            models += machines_->first_of(split + 1) - machines_->first_of(split);
        }
        progress_.start("training models", models);
        // One split on one thread each, as long as there are enough of them; a thread that waits for parts of
        // its own split must not begin another one, whose memory has not been counted.
        base::parallel_pieces(missing.size(), 1, [&](std::size_t begin, std::size_t) {
            base::run_isolated([&] { train_split(missing[begin]); });
        });
        progress_.finish();
        if (stage::stop_requested()) {
            throw base::Error("interrupted; finished models are in '" + options_.output +
                              "': run again to make the others");
        }
    }

    void train_split(std::size_t split) {
        machines_->train(
            split, set_, forest_, options_.training,
            [this](std::size_t model) { return to_be_made_[model] != 0; }, stage::stop_requested,
            [this](std::size_t model, const svm::TrainingOutcome& outcome, const store::KernelModel& trained,
                   const tree::Forest& forest, const example::ExampleSet& set) {
                if (!outcome.converged) {
                    progress_.warn(machines_->models()[model].name + ": " +
                                   svm::describe_unreached(outcome, options_.training.trainer.epsilon));
                }
                write(model, outcome, trained, forest, set);
                progress_.update(++done_);
            });
    }

    void write(std::size_t model, const svm::TrainingOutcome& outcome, const store::KernelModel& trained,
               const tree::Forest& forest, const example::ExampleSet& set) {
        base::PlannedOutput output = folder_->output(model);
        output.begin();
        store::write_kernel_model(output.path(), trained, forest, set);
        stage::Values counts;
        for (const auto& [name, value] : outcome.counts) {
            counts[name] = value;
        }
        counts["examples"] = stage::value_of(set.size());
        const store::ListedModel& listed = machines_->models()[model];
        store::record_models(counts, {listed});
        output.record(counts);
        progress_.detail(fmt::format("{}: {}", listed.name, stage::to_string(outcome)));
    }

    /// The manifest of the folder, once all models are there.
    void finish() {
        made_ = done_;
        if (const auto missing = folder_->missing(); !missing.empty()) {
            progress_.note(fmt::format(
                "{} of {} models are still missing; run fsl for the other splits, then without --split",
                missing.size(), machines_->models().size()));
            return;
        }
        stage::Values counts;
        store::record_models(counts, machines_->models());
        counts["examples"] = stage::value_of(set_.size());
        folder_->finish(std::move(counts));
    }

    Options options_;
    base::ProgressObserver& progress_;
    kernel::KernelDescription kernel_;
    SplitChoice choice_;
    base::Plan plan_;
    std::optional<classify::SplitMachines> machines_;
    std::vector<char> to_be_made_;  // which of their models
    std::optional<base::PartsFolder> folder_;
    tree::Forest forest_;
    example::ExampleSet set_;
    std::atomic<std::uint64_t> done_ = 0;
    std::uint64_t made_ = 0;
};

}  // namespace

void validate(const Options& options) {
    stage::validate(options.training);
    (void)classify::minable_term(kernel::parse_kernel(options.training.kernel));
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
    base::require_folder_of(options.output);
    return SplitTraining(std::move(options), progress).run();
}

}  // namespace treeline::fsl
