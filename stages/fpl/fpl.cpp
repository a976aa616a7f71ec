#include "fpl/fpl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "common/stop.hpp"
#include "fpl/model_folder.hpp"
#include "kernel/description.hpp"
#include "sparse/sparse_model.hpp"

namespace treeline::fpl {

namespace {

kernel::TreeKernel tree_kernel(const Options& options) {
    return kernel::require_single_tree_kernel(kernel::parse_kernel(options.kernel), "fpl");
}

base::Plan plan(const Options& options) {
    const sparse::LearnerOptions& learner = options.learner;
    const PathOptions& path = options.path;
    stage::Values values = {
        {"kernel", kernel::to_string(kernel::BasicKernel(tree_kernel(options)))},
        {"vectors", std::string(base::name_of(fragment::kFlatFeaturesNames, options.vectors))},
        {"loss", std::string(base::name_of(linear::kSparseLossNames, learner.loss))},
        {"j", options.cost_factor},
        {"l2", learner.l2},
        {"gap", learner.gap},
        {"limit", stage::value_of(options.limit)},
        {"label-until", options.label_until}};
    std::vector<std::string> inputs{options.input};
    if (!path.wanted()) {
        values["c"] = learner.c;
        return stage::plan_work("fpl", std::move(values), options.common, inputs);
    }
    values["path"] = stage::value_of(path.steps);
    values["search"] = path.search;
    values["max-fragments"] = stage::value_of(path.max_fragments);
    if (path.last) {
        values["c"] = *path.last;
    }
    if (!path.dev.empty()) {
        inputs.push_back(path.dev);
    } else if (path.search) {
        values["folds"] = stage::value_of(path.folds);
        values["seed"] = stage::value_of(path.seed);
    }
    return stage::plan_work("fpl", std::move(values), options.common, inputs);
}

sparse::QuestionClasses question_classes(const example::Classes& classes) {
    const auto number = [&](const std::string& name) {
        return static_cast<std::uint32_t>(std::ranges::find(classes.names(), name) - classes.names().begin());
    };
    sparse::QuestionClasses out;
    out.names = classes.names();
    for (const example::ClassQuestion& question : classes.questions()) {
        out.positives.push_back(number(question.positive));
        out.negative = number(question.negative);
    }
    return out;
}

std::vector<std::uint32_t> all_of(const example::ExampleSet& set) {
    std::vector<std::uint32_t> all(set.size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

class Learning {
  public:
    Learning(const Options& options, base::ProgressObserver& progress)
        : options_(options), progress_(&progress) {}

    stage::Summary run() {
        const base::Plan planned = plan(options_);
        stage::Outputs outputs(planned, {{options_.output, {}}}, options_.common, *progress_);
        if (!outputs.begin()) {
            return {};
        }
        stage::stop_on_signals();
        const auto read = stage::read_examples(options_.input, options_.limit, stage::Labels::kNeeded,
                                               options_.common, forest_, set_, *progress_);
        if (!options_.path.dev.empty()) {
            (void)stage::read_examples(options_.path.dev, 0, stage::Labels::kNeeded, options_.common, forest_,
                                       dev_, *progress_);
        }
        const example::Classes classes(set_, all_of(set_), {options_.label_until, {}});
        sparse::FeatureRows rows(forest_, set_, all_of(set_), classes.members(), tree_kernel(options_),
                                 options_.vectors);
        if (options_.path.wanted()) {
            learn_path(rows, classes);
        } else {
            learn(rows, classes);
        }
        const std::size_t fragments = write(rows, classes, planned);
        return {.in = read.records(), .out = fragments, .skipped = read.bad.skipped()};
    }

  private:
    [[nodiscard]] sparse::LearnerOptions learner_options() const {
        sparse::LearnerOptions learner = options_.learner;
        learner.cancelled = stage::stop_requested;
        learner.memory = memory_left();
        return learner;
    }

    void learn(sparse::FeatureRows& rows, const example::Classes& classes) {
        learner_.emplace(rows, *progress_);
        columns_ = &learner_->columns();
        const sparse::QuestionClasses numbers = question_classes(classes);
        const sparse::LearnerOptions learner = learner_options();
        for (std::size_t k = 0; k < classes.questions().size(); ++k) {
            const example::ClassQuestion& question = classes.questions()[k];
            const std::vector<double> labels = rows.labels(numbers.positives[k]);
            const std::vector<double> costs = rows.costs(labels, options_.cost_factor);
            progress_->start("learning " + question.positive, 0);
            fits_.push_back(learner_->fit(labels, costs, learner));
            progress_->finish();
            tell(question, fits_.back());
        }
    }

    /// For columns, beside what the process holds.
    [[nodiscard]] std::size_t memory_left() const {
        constexpr std::uint64_t kLeast = std::uint64_t{16} << 20U;
        const std::uint64_t held = base::peak_memory();
        if (options_.common.memory < held + kLeast) {
            throw base::UsageError(fmt::format(
                "--memory {} is too little for these {} examples; give at least {}",
                base::format_size(options_.common.memory), set_.size(), base::format_size(held + kLeast)));
        }
        return options_.common.memory - held;
    }

    void learn_path(sparse::FeatureRows& rows, const example::Classes& classes) {
        const sparse::QuestionClasses numbers = question_classes(classes);
        const sparse::LearnerOptions learner = learner_options();
        path_learner_.emplace(rows, numbers, options_.cost_factor, learner);
        columns_ = &path_learner_->columns();
        path_.costs = costs_of(options_.path, path_learner_->first_cost());
        path_.measure = sparse::quality_name(numbers);
        std::optional<sparse::FeatureRows> dev_rows;
        std::optional<sparse::HeldOut> held_out;
        if (!options_.path.dev.empty()) {
            path_.measure += " on --dev";
            std::vector<std::uint32_t> members;
            for (std::size_t i = 0; i < dev_.size(); ++i) {
                members.push_back(classes.set()
                                      .find(example::cut_label(dev_.label_text(i), options_.label_until))
                                      .value_or(static_cast<std::uint32_t>(numbers.names.size())));
            }
            dev_rows.emplace(forest_, dev_, all_of(dev_), members, tree_kernel(options_), options_.vectors);
            held_out.emplace(*dev_rows, numbers);
        } else if (options_.path.search) {
            path_.measure += " by cross-validation";
            path_.validation = sparse::cross_validate(
                forest_, set_, classes.members(), tree_kernel(options_), options_.vectors, numbers,
                options_.cost_factor, learner, path_.costs,
                {.folds = options_.path.folds, .seed = options_.path.seed}, *progress_);
            if (learner.cancelled()) {
                throw base::Error(
                    "interrupted in cross-validation, before any model was learned: nothing is written");
            }
        }
        follow(path_, options_.path, *path_learner_, held_out ? &*held_out : nullptr, *progress_);
        fits_ = path_.steps[path_.chosen].fits;
        for (std::size_t k = 0; k < fits_.size(); ++k) {
            tell(classes.questions()[k], fits_[k]);
        }
    }

    void tell(const example::ClassQuestion& question, const sparse::SparseFit& fit) {
        progress_->note(fmt::format(
            "{}: {} features with a weight, objective {:.8g}, at least {:.8g} for any weights of all fragments: gap {:.2e}; "
            "{} rounds, {} patterns visited",
            question.positive, fit.weights.size(), fit.primal, fit.dual, fit.gap(), fit.rounds,
            fit.patterns));
        if (!fit.reached) {
            progress_->note(fmt::format("{}: THE GAP ASKED FOR, {}, WAS NOT REACHED{}", question.positive,
                                        base::format_double(options_.learner.gap),
                                        fit.interrupted ? ": interrupted" : ""));
        }
    }

    std::size_t write(const sparse::FeatureRows& rows, const example::Classes& classes, base::Plan planned) {
        std::vector<std::string> positives;
        for (const auto& question : classes.questions()) {
            positives.push_back(question.positive);
        }
        std::vector<std::string> labels = positives;
        if (labels.size() == 1) {
            labels.push_back(classes.questions()[0].negative);
        }
        const sparse::SparseModel model =
            sparse::make_model(*columns_, forest_.symbols(), fits_, labels, options_.learner.loss);
        const bool interrupted =
            path_.interrupted || std::ranges::any_of(fits_, &sparse::SparseFit::interrupted);
        double worst = 0;
        stage::Values counts;
        for (std::size_t k = 0; k < fits_.size(); ++k) {
            const std::string lead = fits_.size() > 1 ? positives[k] + ": " : "";
            counts[lead + "primal"] = fits_[k].primal;
            counts[lead + "dual"] = fits_[k].dual;
            counts[lead + "gap"] = fits_[k].gap();
            counts[lead + "gap-reached"] = fits_[k].reached;
            counts[lead + "weights-not-zero"] = stage::value_of(fits_[k].weights.size());
            worst = std::max(worst, fits_[k].gap());
        }
        if (!path_.steps.empty()) {
            counts["c"] = path_.steps[path_.chosen].c;
        }
        counts["examples"] = stage::value_of(set_.size());
        counts["fragments"] = stage::value_of(model.fragments.size());
        if (interrupted) {
            planned.manifest.options["interrupted"] =
                true;  // not the work that was asked for: never taken as up to date
        }
        LearnedModel learned{&rows, fits_, positives, &model, options_.vectors};
        if (!path_.steps.empty()) {
            const std::string json = path_json(
                path_,
                {kernel::to_string(kernel::BasicKernel(tree_kernel(options_))),
                 std::string(base::name_of(linear::kSparseLossNames, options_.learner.loss)), positives},
                *columns_, forest_.symbols());
            learned.files = {{"path.json", json}, {"path.html", path_page(json)}};
        }
        stage::Outputs outputs(planned, {{options_.output, {}}}, options_.common, *progress_);
        base::AtomicFolder folder(options_.output);
        write_model_folder(folder, learned, planned.manifest);
        outputs.commit(folder, std::move(counts));
        if (interrupted) {
            throw base::Error(fmt::format(
                "interrupted; the best model so far is in '{}', its gap is {:.2e} where {} was asked for",
                options_.output, worst, base::format_double(options_.learner.gap)));
        }
        return model.fragments.size();
    }

    const Options& options_;
    base::ProgressObserver* progress_;
    tree::Forest forest_;
    example::ExampleSet set_;
    example::ExampleSet dev_;
    std::optional<sparse::SparseLearner> learner_;
    std::optional<sparse::PathLearner> path_learner_;
    const sparse::ColumnPool* columns_ = nullptr;  // of the one that was used
    Path path_;
    std::vector<sparse::SparseFit> fits_;
};

}  // namespace

void validate(const Options& options) {
    const auto require = [](bool holds, const char* problem) {
        if (!holds) {
            throw base::UsageError(problem);
        }
    };
    (void)tree_kernel(options);
    require(options.learner.c > 0 && std::isfinite(options.learner.c), "--cost must be above 0");
    require(options.cost_factor > 0 && std::isfinite(options.cost_factor), "--cost-factor must be above 0");
    require(options.learner.l2 >= 0 && std::isfinite(options.learner.l2), "--l2 must not be below 0");
    require(options.learner.gap > 0 && std::isfinite(options.learner.gap), "--gap must be above 0");
    require(!options.path.search || !options.path.dev.empty() || options.path.folds >= 2,
            "--folds must be at least 2");
    require(options.path.dev.empty() || options.path.wanted(), "--dev is for --path and --search");
}

stage::Summary run(const Options& options, base::ProgressObserver& progress) {
    validate(options);
    return Learning(options, progress).run();
}

}  // namespace treeline::fpl
