#include "fsl/fsl.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "common/manifest.hpp"
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
        if (is_finished()) {
            progress_.note("'" + options_.output + "' is up to date");
            return {};
        }
        if (fs::exists(options_.output) && !fs::is_directory(options_.output)) {
            throw base::UsageError("'" + options_.output + "' is there and not a folder");
        }
        fs::create_directories(options_.output);
        stage::stop_on_signals();
        // Where few splits are trained, labels are read first, which is enough to split; then the trees of
        // those splits.
        const bool skim =
            !stage::is_stream(options_.input) && (choice_.number != 0 || options_.train_splits > 0);
        const auto read = read_input(skim ? [](std::uint64_t) { return false; } : Wanted{});
        const example::Classes classes(set_, all_of(set_), options_.training.classes);
        questions_ = classes.questions();
        parts_ = evaluate::split_examples(classes.members(), options_.splits, options_.splitting,
                                          options_.common.seed);
        if (options_.train_splits > 0) {
            parts_.resize(options_.train_splits);
        }
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
        static constexpr const char* kSplittings[] = {"random", "stratified", "blocks"};
        stage::Values values = stage::values_of(options_.training);
        values["splits"] = stage::value_of(options_.splits);
        values[kTrainSplits] = stage::value_of(options_.train_splits);
        values["splitting"] = std::string(kSplittings[static_cast<std::size_t>(options_.splitting)]);
        values["limit"] = stage::value_of(options_.limit);
        planned_ = stage::plan_manifest("fsl", std::move(values), {options_.input});
    }

    [[nodiscard]] std::string path(const std::string& name) const {
        return (fs::path(options_.output) / name).string();
    }

    [[nodiscard]] bool is_finished() const {
        const std::string manifest = path("manifest.json");
        return options_.input != "-" && fs::exists(manifest) && is_current(manifest, planned_);
    }

    [[nodiscard]] bool is_current(const std::string& manifest, const base::Manifest& wanted) const {
        try {
            return base::is_up_to_date(base::read_manifest(manifest), wanted, options_.output);
        } catch (const base::Error&) {
            return false;
        }
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

    [[nodiscard]] store::ListedModel listed(std::size_t split, std::size_t question) const {
        const bool several = questions_.size() > 1;
        const std::string class_file =
            several ? store::class_file_name(question, questions_[question].positive) : "";
        return {store::split_file_name(split + 1, options_.splits, class_file), questions_[question].positive,
                questions_[question].negative, split + 1};
    }

    /// The manifest beside one model: what it was made from, so that a later run knows whether to make it
    /// again.
    [[nodiscard]] base::Manifest manifest_of(const store::ListedModel& model) const {
        base::Manifest manifest = planned_;
        manifest.options.erase(kTrainSplits);  // a model does not depend on how many others there are
        manifest.options["split"] = stage::value_of(model.split);
        manifest.options["class"] = model.positive;
        return manifest;
    }

    [[nodiscard]] bool is_made(const store::ListedModel& model) const {
        const std::string manifest = base::manifest_path(path(model.name));
        return options_.input != "-" && fs::exists(manifest) && is_current(manifest, manifest_of(model));
    }

    /// Made the same way, if its bytes are what they were: other jobs wrote them.
    [[nodiscard]] bool is_recorded(const store::ListedModel& model) const {
        try {
            base::Manifest made = base::read_manifest(base::manifest_path(path(model.name)));
            made.outputs.clear();
            return base::is_up_to_date(made, manifest_of(model), options_.output);
        } catch (const base::Error&) {
            return false;
        }
    }

    [[nodiscard]] std::vector<std::size_t> missing_splits() {
        std::vector<std::size_t> missing;
        for (std::size_t split = 0; split < parts_.size(); ++split) {
            if (choice_.number != 0 && split + 1 != choice_.number) {
                continue;
            }
            bool complete = true;
            for (std::size_t q = 0; q < questions_.size(); ++q) {
                const auto model = listed(split, q);
                const bool made = is_made(model);
                complete = complete && made;
                if (!made && fs::exists(path(model.name)) && !options_.common.force &&
                    options_.input != "-") {
                    progress_.note("'" + path(model.name) +
                                   "' was made otherwise or is damaged: making it again");
                }
            }
            if (!complete) {
                missing.push_back(split);
            }
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
        progress_.start("training models", missing.size() * questions_.size());
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
        for (std::size_t q = 0; q < questions_.size() && !stage::stop_requested(); ++q) {
            const auto model = listed(split, q);
            if (is_made(model)) {
                continue;
            }
            const auto all_labels = classes.labels(q);
            std::vector<double> labels;
            std::ranges::transform(part, std::back_inserter(labels),
                                   [&](std::uint32_t i) { return all_labels[i]; });
            if (std::ranges::count(labels, 1.0) == 0 || std::ranges::count(labels, -1.0) == 0) {
                throw base::UsageError(fmt::format(
                    "split {} has no example {} the class {}; use fewer splits or --splitting stratified",
                    split + 1, std::ranges::count(labels, 1.0) == 0 ? "of" : "outside", model.positive));
            }
            const auto costs = svm::example_costs(own.set, all, labels, options_.training.cost_factor);
            const auto outcome = trainer->train({labels, costs}, {}, stage::stop_requested);
            if (!outcome.converged && stage::stop_requested()) {
                return;
            }
            write(model, outcome, own);
            progress_.update(++done_);
        }
    }

    void write(const store::ListedModel& model, const svm::TrainingOutcome& outcome,
               const SplitExamples& own) {
        store::write_kernel_model(path(model.name),
                                  store::make_kernel_model(kernel_, outcome.machine, all_of(own.set),
                                                           {model.positive, model.negative}),
                                  own.forest, own.set);
        base::Manifest manifest = manifest_of(model);
        for (const auto& [name, value] : outcome.counts) {
            manifest.counts[name] = value;
        }
        manifest.counts["examples"] = stage::value_of(own.set.size());
        store::record_models(manifest, {model});
        stage::record_output(path(model.name), manifest, manifest.counts);
        progress_.note(fmt::format("{}: {}", model.name, stage::to_string(outcome)));
    }

    /// The manifest of the folder, once all models are there.
    void finish() {
        std::vector<store::ListedModel> models;
        for (std::size_t split = 0; split < parts_.size(); ++split) {
            for (std::size_t q = 0; q < questions_.size(); ++q) {
                models.push_back(listed(split, q));
            }
        }
        made_ = done_;
        const auto missing =
            std::ranges::count_if(models, [&](const auto& model) { return !is_recorded(model); });
        if (missing > 0) {
            progress_.note(fmt::format(
                "{} of {} models are still missing; run fsl for the other splits, then without --split",
                missing, models.size()));
            return;
        }
        for (const auto& model : models) {
            planned_.outputs.push_back(base::describe_file(path(model.name)));
        }
        store::record_models(planned_, models);
        planned_.counts["examples"] = stage::value_of(set_.size());
        base::write_manifest(path("manifest.json"), planned_);
    }

    Options options_;
    base::ProgressObserver& progress_;
    kernel::KernelDescription kernel_;
    SplitChoice choice_;
    base::Manifest planned_;
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
    if (options.splits < 1) {
        throw base::UsageError("--splits must be at least 1");
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
