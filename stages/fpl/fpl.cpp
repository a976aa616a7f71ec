#include "fpl/fpl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/text.hpp"
#include "common/manifest.hpp"
#include "common/reading.hpp"
#include "common/stop.hpp"
#include "fpl/model_folder.hpp"
#include "kernel/description.hpp"
#include "sparse/sparse_model.hpp"

namespace treeline::fpl {

namespace {

const char* to_string(linear::SparseLoss loss) {
    return loss == linear::SparseLoss::kLogistic ? "logistic" : "squared-hinge";
}

kernel::TreeKernel tree_kernel(const Options& options) {
    return kernel::require_single_tree_kernel(kernel::parse_kernel(options.kernel), "fpl");
}

base::Manifest plan(const Options& options) {
    const sparse::LearnerOptions& learner = options.learner;
    return stage::plan_manifest("fpl",
                                {{"kernel", kernel::to_string(kernel::BasicKernel(tree_kernel(options)))},
                                 {"vectors", std::string(fragment::to_string(options.vectors))},
                                 {"loss", std::string(to_string(learner.loss))},
                                 {"c", learner.c},
                                 {"j", options.cost_factor},
                                 {"l2", learner.l2},
                                 {"gap", learner.gap},
                                 {"limit", stage::value_of(options.limit)},
                                 {"label-until", options.label_until}},
                                {options.input});
}

class Learning {
  public:
    Learning(const Options& options, base::ProgressObserver& progress)
        : options_(options), progress_(&progress) {}

    stage::Summary run() {
        base::Manifest manifest = plan(options_);
        if (!stage::needs_work(options_.output, manifest, options_.common.force, *progress_)) {
            return {};
        }
        stage::stop_on_signals();
        const auto read = stage::read_examples(options_.input, options_.limit, stage::Labels::kNeeded,
                                               options_.common, forest_, set_, *progress_);
        std::vector<std::uint32_t> all(set_.size());
        std::iota(all.begin(), all.end(), 0U);
        const example::Classes classes(set_, all, {options_.label_until, {}});
        sparse::FeatureRows rows(forest_, set_, all, classes.members(), tree_kernel(options_),
                                 options_.vectors);
        learn(rows, classes);
        const std::size_t fragments = write(rows, classes, std::move(manifest));
        return {.in = read.records(), .out = fragments, .skipped = read.bad.skipped()};
    }

  private:
    void learn(sparse::FeatureRows& rows, const example::Classes& classes) {
        learner_.emplace(rows, *progress_);
        sparse::LearnerOptions learner = options_.learner;
        learner.cancelled = stage::stop_requested;
        learner.memory = memory_left();
        for (const example::ClassQuestion& question : classes.questions()) {
            const auto number = static_cast<std::uint32_t>(
                std::ranges::find(classes.names(), question.positive) - classes.names().begin());
            const std::vector<double> labels = rows.labels(number);
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

    std::size_t write(const sparse::FeatureRows& rows, const example::Classes& classes,
                      base::Manifest manifest) {
        std::vector<std::string> positives;
        for (const auto& question : classes.questions()) {
            positives.push_back(question.positive);
        }
        std::vector<std::string> labels = positives;
        if (labels.size() == 1) {
            labels.push_back(classes.questions()[0].negative);
        }
        const sparse::SparseModel model =
            sparse::make_model(learner_->columns(), forest_.symbols(), fits_, labels, options_.learner.loss);
        const bool interrupted = std::ranges::any_of(fits_, &sparse::SparseFit::interrupted);
        double worst = 0;
        for (std::size_t k = 0; k < fits_.size(); ++k) {
            const std::string lead = fits_.size() > 1 ? positives[k] + ": " : "";
            manifest.counts[lead + "primal"] = fits_[k].primal;
            manifest.counts[lead + "dual"] = fits_[k].dual;
            manifest.counts[lead + "gap"] = fits_[k].gap();
            manifest.counts[lead + "gap-reached"] = fits_[k].reached;
            manifest.counts[lead + "weights-not-zero"] = stage::value_of(fits_[k].weights.size());
            worst = std::max(worst, fits_[k].gap());
        }
        manifest.counts["examples"] = stage::value_of(set_.size());
        manifest.counts["fragments"] = stage::value_of(model.fragments.size());
        if (interrupted) {
            manifest.options["interrupted"] =
                true;  // not the work that was asked for: never taken as up to date
        }
        write_model_folder(options_.output, {&rows, fits_, positives, &model, options_.vectors},
                           std::move(manifest));
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
    std::optional<sparse::SparseLearner> learner_;
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
}

stage::Summary run(const Options& options, base::ProgressObserver& progress) {
    validate(options);
    return Learning(options, progress).run();
}

}  // namespace treeline::fpl
