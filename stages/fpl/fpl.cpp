#include "fpl/fpl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "classify/sparse_folder.hpp"
#include "classify/sparse_training.hpp"
#include "common/learning.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "common/stop.hpp"
#include "fpl/path.hpp"
#include "kernel/description.hpp"
#include "sparse/sparse_model.hpp"

namespace treeline::fpl {

namespace {

kernel::TreeKernel tree_kernel(const Options& options) {
    return kernel::require_single_tree_kernel(kernel::parse_kernel(options.kernel), "fpl");
}

base::Plan plan(const Options& options) {
    const sparse::LearnerOptions& learner = options.learner;
    const sparse::PathOptions& path = options.path;
    stage::Values values = {{"kernel", kernel::to_string(kernel::BasicKernel(tree_kernel(options)))},
                            {"vectors", stage::value_of(fragment::kFlatFeaturesNames, options.vectors)},
                            {"loss", stage::value_of(linear::kSparseLossNames, learner.loss)},
                            {"cost-factor", options.cost_factor},
                            {"l2", learner.l2},
                            {"gap", learner.gap},
                            {"limit", stage::value_of(options.limit)},
                            {"label-until", options.label_until},
                            {"class-bias", stage::value_of(sparse::kClassBiasNames, options.class_bias)}};
    std::vector<std::string> inputs{options.input};
    if (!path.wanted()) {
        values["cost"] = learner.c;
        return stage::plan_work("fpl", std::move(values), options.common, inputs);
    }
    values["path"] = stage::value_of(path.steps);
    values["search"] = path.search;
    values["max-fragments"] = stage::value_of(path.max_fragments);
    if (path.last) {
        values["cost"] = *path.last;
    }
    if (!options.dev.empty()) {
        inputs.push_back(options.dev);
    } else if (path.search) {
        values["folds"] = stage::value_of(path.folds);
        values["seed"] = stage::value_of(path.seed);
        values["splitting"] = stage::value_of(evaluate::kSplittingNames, path.splitting);
    }
    return stage::plan_work("fpl", std::move(values), options.common, inputs);
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
        if (set_.size() > 0 && set_.most_trees() == 0) {
            throw base::InputError({options_.input},
                                   "no example has a tree; expected lines such as LABEL<TAB>tree; ksl with a "
                                   "linear kernel, or psl, learns from features alone");
        }
        if (!options_.dev.empty()) {
            (void)stage::read_examples(options_.dev, 0, stage::Labels::kNeeded, options_.common, forest_,
                                       dev_, *progress_);
        }
        auto training = stage::naming_input(options_.input, [&] {
            return classify::SparseTraining(forest_, set_,
                                            {.kernel = tree_kernel(options_),
                                             .vectors = options_.vectors,
                                             .cost_factor = options_.cost_factor,
                                             .label_until = options_.label_until,
                                             .class_bias = options_.class_bias,
                                             .path = options_.path});
        });
        stage::warn_of_many_classes(training.classes().set().size(), set_.size(), *progress_);
        training.learn(learner_options(), options_.dev.empty() ? nullptr : &dev_, *progress_,
                       [this](const auto& question, const auto& fit) { tell(question, fit); });
        const std::size_t fragments = write(training, planned);
        return {.in = read.records(), .out = fragments, .skipped = read.bad.skipped()};
    }

  private:
    [[nodiscard]] sparse::LearnerOptions learner_options() const {
        sparse::LearnerOptions learner = options_.learner;
        learner.cancelled = stage::stop_requested;
        learner.memory = memory_left();
        return learner;
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

    std::size_t write(const classify::SparseTraining& training, base::Plan planned) {
        const std::vector<std::string> positives = training.positives();
        const std::span<const sparse::SparseFit> fits = training.fits();
        const sparse::Path& path = training.path();
        const sparse::SparseModel model = training.model(options_.learner.loss);
        const bool interrupted = training.interrupted();
        double worst = 0;
        stage::Values counts;
        for (std::size_t k = 0; k < fits.size(); ++k) {
            const std::string lead = fits.size() > 1 ? positives[k] + ": " : "";
            counts[lead + "primal"] = fits[k].primal;
            counts[lead + "dual"] = fits[k].dual;
            counts[lead + "gap"] = fits[k].gap();
            counts[lead + "bias"] = fits[k].bias;
            counts[lead + "gap-reached"] = fits[k].reached;
            counts[lead + "weights-not-zero"] = stage::value_of(fits[k].weights.size());
            worst = std::max(worst, fits[k].gap());
        }
        if (options_.path.wanted()) {
            counts["c"] = path.steps.empty() ? options_.learner.c : path.steps[path.chosen].c;
        }
        counts["examples"] = stage::value_of(set_.size());
        counts["fragments"] = stage::value_of(model.fragments.size());
        if (interrupted) {
            planned.manifest.options[base::kInterruptedOption] = true;
        }
        classify::SparseModelParts learned{&training.rows(), fits, positives, &model, options_.vectors};
        if (!path.steps.empty()) {
            const std::string json = path_json(
                path,
                {kernel::to_string(kernel::BasicKernel(tree_kernel(options_))),
                 std::string(base::name_of(linear::kSparseLossNames, options_.learner.loss)), positives},
                training.columns(), forest_.symbols());
            learned.files = {{std::string(base::formats::kPathFile), json},
                             {std::string(base::formats::kPathPage), path_page(json)}};
        }
        stage::Outputs outputs(planned, {{options_.output, {}}}, options_.common, *progress_);
        base::AtomicFolder folder(options_.output);
        classify::write_sparse_folder(folder, learned, planned.manifest);
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
    require(!options.path.search || !options.dev.empty() || options.path.folds >= 2,
            "--folds must be at least 2");
    require(options.dev.empty() || options.path.wanted(), "--dev is for --path and --search");
}

stage::Summary run(const Options& options, base::ProgressObserver& progress) {
    validate(options);
    return Learning(options, progress).run();
}

}  // namespace treeline::fpl
