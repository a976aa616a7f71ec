#include "classify/sparse_training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "example/class_set.hpp"
#include "sparse/held_out.hpp"

namespace treeline::classify {

namespace {

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

}  // namespace

SparseTraining::SparseTraining(const tree::Forest& forest, const example::ExampleSet& examples,
                               const SparseOptions& options)
    : forest_(forest),
      examples_(examples),
      options_(options),
      classes_(examples, examples.all(), {options.label_until, {}}),
      numbers_(question_classes(classes_)),
      rows_(forest, examples, examples.all(), classes_.members(), options.kernel, options.vectors) {}

void SparseTraining::learn(const sparse::LearnerOptions& learner, const example::ExampleSet* dev,
                           base::ProgressObserver& progress, const Done& done) {
    double first = std::numeric_limits<double>::infinity();
    if (options_.path.wanted()) {
        path_learner_.emplace(rows_, numbers_, options_.cost_factor, learner);
        first = path_learner_->first_cost();
        if (std::isinf(first)) {
            progress.warn("no feature tells the classes apart: the model has none, for any C");
        }
    }
    if (std::isinf(first)) {
        learn_one(learner, progress, done);
        return;
    }
    learn_path(learner, first, dev, progress);
    for (std::size_t k = 0; done && k < fits_.size(); ++k) {
        done(classes_.questions()[k], fits_[k]);
    }
}

void SparseTraining::learn_one(const sparse::LearnerOptions& learner, base::ProgressObserver& progress,
                               const Done& done) {
    learner_.emplace(rows_, progress);
    columns_ = &learner_->columns();
    for (std::size_t k = 0; k < classes_.questions().size(); ++k) {
        const example::ClassQuestion& question = classes_.questions()[k];
        const std::vector<double> labels = rows_.labels(numbers_.positives[k]);
        const std::vector<double> costs = rows_.costs(labels, options_.cost_factor);
        progress.start("learning " + question.positive, 0);
        fits_.push_back(learner_->fit(labels, costs, learner));
        progress.finish();
        if (done) {
            done(question, fits_.back());
        }
    }
}

sparse::FeatureRows SparseTraining::rows_of(const example::ExampleSet& dev) const {
    std::vector<std::uint32_t> members;
    for (std::size_t i = 0; i < dev.size(); ++i) {
        members.push_back(classes_.set()
                              .find(example::cut_label(dev.label_text(i), options_.label_until))
                              .value_or(static_cast<std::uint32_t>(numbers_.names.size())));
    }
    return {forest_, dev, dev.all(), members, options_.kernel, options_.vectors};
}

void SparseTraining::learn_path(const sparse::LearnerOptions& learner, double first,
                                const example::ExampleSet* dev, base::ProgressObserver& progress) {
    columns_ = &path_learner_->columns();
    path_.costs = costs_of(options_.path, first);
    path_.measure = sparse::quality_name(numbers_);
    std::optional<sparse::FeatureRows> dev_rows;
    std::optional<sparse::HeldOut> held_out;
    if (dev != nullptr) {
        path_.measure += " on held-out examples";
        dev_rows.emplace(rows_of(*dev));
        held_out.emplace(*dev_rows, numbers_);
    } else if (options_.path.search) {
        path_.measure += " by cross-validation";
        path_.validation = sparse::cross_validate(
            forest_, examples_, classes_.members(), options_.kernel, options_.vectors, numbers_,
            options_.cost_factor, learner, path_.costs,
            {.folds = options_.path.folds, .seed = options_.path.seed, .splitting = options_.path.splitting},
            progress);
        if (learner.cancelled && learner.cancelled()) {
            throw base::Error(
                "interrupted in cross-validation, before any model was learned: nothing is written");
        }
    }
    sparse::follow(path_, options_.path, *path_learner_, held_out ? &*held_out : nullptr, progress);
    fits_ = path_.steps[path_.chosen].fits;
}

bool SparseTraining::interrupted() const {
    return path_.interrupted || std::ranges::any_of(fits_, &sparse::SparseFit::interrupted);
}

std::vector<std::string> SparseTraining::positives() const {
    std::vector<std::string> positives;
    for (const example::ClassQuestion& question : classes_.questions()) {
        positives.push_back(question.positive);
    }
    return positives;
}

sparse::SparseModel SparseTraining::model(linear::SparseLoss loss) const {
    std::vector<std::string> labels = positives();
    if (labels.size() == 1) {
        labels.push_back(classes_.questions()[0].negative);
    }
    sparse::SparseModel made = sparse::make_model(*columns_, forest_.symbols(), fits_, labels, loss);
    if (fits_.size() > 1 && options_.class_bias == sparse::ClassBias::kUnseen) {
        const std::vector<double> biases =
            sparse::unseen_biases(rows_, made, numbers_.positives, options_.cost_factor, loss);
        std::ranges::copy(biases, made.model.weights.end() - std::ssize(biases));
    }
    return made;
}

}  // namespace treeline::classify
