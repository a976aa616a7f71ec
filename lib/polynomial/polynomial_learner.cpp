#include "polynomial/polynomial_learner.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/data_error.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "example/class_set.hpp"
#include "polynomial/support_entries.hpp"

namespace treeline::polynomial {

namespace {

/// The classes as the model sees them.
struct Targets {
    std::vector<std::string> labels;
    std::string positive;                 ///< see PolynomialModel
    std::vector<std::uint32_t> of_label;  ///< by label of the data
};

Targets make_targets(const BinaryDataset& data, const std::string& wanted) {
    const example::ClassSet classes(data.labels);
    example::require_two_classes(classes);
    const bool two = classes.size() == 2;
    Targets targets{.labels = classes.model_names(), .positive = {}, .of_label = {}};
    std::uint32_t first = two ? classes.positive() : 0;
    if (!wanted.empty()) {
        const auto found = classes.find(wanted);
        if (!found) {
            throw base::UsageError("no example has the label " + base::quoted(wanted) +
                                   " that is to be the positive one");
        }
        first = *found;
        const std::string& name = classes.names()[first];
        targets.labels = {name, two ? classes.names()[1 - first] : example::rest_of(name)};
        targets.positive = two ? "" : name;
    }
    const bool one_against_others = two || !wanted.empty();
    for (const std::string& label : data.labels) {
        const std::uint32_t number = *classes.find(label);
        targets.of_label.push_back(!one_against_others ? number : number == first ? 0 : 1);
    }
    return targets;
}

/// One step of online learning; remembers what it did.
class Trainer {
  public:
    struct Outcome {
        bool updated = false;
        bool mistaken = false;
    };

    Trainer(const BinaryDataset& data, const Targets& targets, const PolynomialLearnerOptions& options)
        : data_(data),
          targets_(targets),
          options_(options),
          outputs_(targets.labels.size() == 2 ? 1 : targets.labels.size()),
          method_(make_margin_method(data, outputs_, options.margin)),
          kernel_(options.margin.degree, data.longest_row()),
          result_(0, outputs_, true),
          late_(0, outputs_, true),
          margins_(outputs_) {}

    /// Takes over a support vector of earlier learning.
    void resume(std::uint32_t example, std::span<const OutputChange> steps,
                std::span<const OutputChange> late) {
        const std::uint32_t vector = method_->update(example, steps);
        result_.add_to(vector, example, steps);
        late_.add_to(vector, example, late);
    }

    /// learn() of an example that so many came before.
    Outcome learn_after(std::uint32_t example, std::uint64_t before) {
        const Outcome outcome = learn(example, 1);
        if (outcome.updated) {
            for (OutputChange& change : changes_) {
                change.amount *= static_cast<double>(before);
            }
            late_.add_to(updated_, example, changes_);
        }
        return outcome;
    }

    /// `share` is the part that this step has in the mean of the weights.
    Outcome learn(std::uint32_t example, double share) {
        changes_.clear();
        const Outcome outcome = outputs_ == 1 ? learn_two_classes(example) : learn_classes(example);
        if (outcome.updated) {
            updated_ = method_->update(example, changes_);
            for (OutputChange& change : changes_) {
                change.amount *= share;
            }
            result_.add_to(updated_, example, changes_);
        }
        return outcome;
    }

    /// Ends learning: gives back what only that needs.
    MarginStatistics finish() {
        const MarginStatistics statistics = method_->statistics();
        method_.reset();
        return statistics;
    }
    [[nodiscard]] const SupportEntries& result() const { return result_; }
    /// Of learn_after(): steps times the number of examples before each.
    [[nodiscard]] const SupportEntries& late() const { return late_; }

  private:
    [[nodiscard]] std::uint32_t target_of(std::uint32_t example) const {
        return targets_.of_label[data_.label_of[example]];
    }

    /// An example without features counts as one: its step is not to be infinite.
    [[nodiscard]] double norm(std::uint32_t example) const {
        const std::size_t features = data_.row(example).size();
        return options_.norm == StepNorm::kKernel ? kernel_.value(features)
                                                  : static_cast<double>(std::max<std::size_t>(features, 1));
    }

    Outcome learn_two_classes(std::uint32_t example) {
        const double sign = target_of(example) == 0 ? 1 : -1;
        const EnoughMargin enough{sign, sufficient_margin(options_.update)};
        method_->margins(example, margins_, &enough);
        const double margin = sign * margins_[0];
        const double step = step_size(options_.update, options_.c, margin, norm(example));
        if (step > 0) {
            changes_.push_back({0, sign * step});
        }
        return {step > 0, margin <= 0};
    }

    Outcome learn_classes(std::uint32_t example) {
        const std::uint32_t target = target_of(example);
        method_->margins(example, margins_, nullptr);
        std::uint32_t rival = target == 0 ? 1 : 0;
        for (std::uint32_t output = rival + 1; output < outputs_; ++output) {
            if (output != target && margins_[output] > margins_[rival]) {
                rival = output;
            }
        }
        const double margin = margins_[target] - margins_[rival];
        const double step = step_size(options_.update, options_.c, margin, 2 * norm(example));
        if (step > 0) {
            changes_.push_back({target, step});
            changes_.push_back({rival, -step});
        }
        return {step > 0, margin <= 0};
    }

    const BinaryDataset& data_;
    const Targets& targets_;
    const PolynomialLearnerOptions& options_;
    std::size_t outputs_;
    std::unique_ptr<MarginMethod> method_;
    PolynomialKernel kernel_;
    SupportEntries result_;
    SupportEntries late_;
    std::uint32_t updated_ = 0;  // the vector of the last update
    std::vector<double> margins_;
    std::vector<OutputChange> changes_;
};

/// Support vectors in the order of the data; those whose coefficients cancelled out are left out.
void fill_support(const BinaryDataset& data, const SupportEntries& entries, PolynomialModel& model) {
    std::vector<std::uint32_t> order(entries.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return entries.row(a) < entries.row(b); });
    for (const std::uint32_t entry : order) {
        const auto changes = entries.changes(entry);
        if (std::all_of(changes.begin(), changes.end(),
                        [](const OutputChange& c) { return c.amount == 0; })) {
            continue;
        }
        const auto row = data.row(entries.row(entry));
        model.features.insert(model.features.end(), row.begin(), row.end());
        model.offsets.push_back(model.features.size());
        const std::size_t first = model.coefficients.size();
        model.coefficients.resize(first + entries.outputs(), 0.0);
        for (const OutputChange& change : changes) {
            model.coefficients[first + change.output] = change.amount;
        }
    }
}

}  // namespace

PolynomialModel train_polynomial(const BinaryDataset& data, const PolynomialLearnerOptions& options,
                                 PolynomialTrainingReport* report, base::ProgressObserver& observer) {
    constexpr std::size_t kReportEvery = 1 << 12;
    const Targets targets = make_targets(data, options.positive);
    PolynomialModel model;
    model.degree = options.margin.degree;
    model.labels = targets.labels;
    model.positive = targets.positive;
    model.dictionary = data.dictionary;

    Trainer trainer(data, targets, options);
    std::vector<std::uint32_t> order(options.shuffle ? data.size() : 0);
    std::iota(order.begin(), order.end(), 0U);
    base::Random random(options.seed);
    const std::uint64_t total = options.iterations * data.size();
    observer.start("training", total);
    std::uint64_t time = 0;
    for (std::uint64_t pass = 0; pass < options.iterations; ++pass) {
        if (options.shuffle) {
            random.shuffle(std::span(order));
        }
        std::uint64_t updates = 0;
        std::uint64_t mistakes = 0;
        for (std::uint32_t i = 0; i < data.size(); ++i) {
            const double share =
                options.average ? static_cast<double>(total - time) / static_cast<double>(total) : 1.0;
            ++time;
            const auto outcome = trainer.learn(options.shuffle ? order[i] : i, share);
            updates += outcome.updated ? 1 : 0;
            mistakes += outcome.mistaken ? 1 : 0;
            if (time % kReportEvery == 0) {
                observer.update(time);
            }
        }
        if (report != nullptr) {
            report->updates.push_back(updates);
            report->mistakes.push_back(mistakes);
        }
        if (updates == 0) {
            break;
        }
    }
    observer.finish();
    const MarginStatistics statistics = trainer.finish();
    if (report != nullptr) {
        report->margins = statistics;
    }
    model.ranking = data.ranking;
    fill_support(data, trainer.result(), model);
    return model;
}

namespace {

/// Coefficients of a support vector that are not 0.
std::vector<OutputChange> changes_at(const std::vector<double>& values, std::size_t vector,
                                     std::size_t outputs) {
    std::vector<OutputChange> changes;
    for (std::uint32_t output = 0; output < outputs; ++output) {
        if (const double amount = values[vector * outputs + output]; amount != 0 || outputs == 1) {
            changes.push_back({output, amount});
        }
    }
    return changes;
}

std::vector<double> coefficients_of(const SupportEntries& entries) {
    std::vector<double> out(entries.size() * entries.outputs(), 0.0);
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
        for (const OutputChange& change : entries.changes(entry)) {
            out[entry * entries.outputs() + change.output] = change.amount;
        }
    }
    return out;
}

}  // namespace

void learn_more(OnlineState& state, std::span<const example::BinaryExample> examples,
                const PolynomialLearnerOptions& options, base::ProgressObserver& observer) {
    const std::size_t known = state.support.size();
    const std::size_t outputs = state.outputs();
    BinaryDatasetBuilder builder;
    for (const auto& features : state.support) {
        builder.add(state.labels.front(), features);
    }
    for (const example::BinaryExample& example : examples) {
        builder.add(example.label, example.features);
    }
    const BinaryDataset data = builder.finish();
    Targets targets{.labels = state.labels, .positive = {}, .of_label = {}};
    for (const std::string& label : data.labels) {
        const auto found = std::ranges::find_if(
            state.labels, [&](const std::string& one) { return example::same_class(one, label); });
        if (found == state.labels.end()) {
            throw base::DataError("the label " + base::quoted(label) +
                                  " is not among the classes given first");
        }
        targets.of_label.push_back(static_cast<std::uint32_t>(found - state.labels.begin()));
    }
    Trainer trainer(data, targets, options);
    for (std::uint32_t vector = 0; vector < known; ++vector) {
        trainer.resume(vector, changes_at(state.steps, vector, outputs),
                       changes_at(state.late, vector, outputs));
    }
    observer.start("training", examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
        (void)trainer.learn_after(static_cast<std::uint32_t>(known + i), state.examples + i);
        if (i % 4096 == 0) {
            observer.update(i);
        }
    }
    observer.finish();
    (void)trainer.finish();
    const SupportEntries& result = trainer.result();
    for (std::size_t vector = known; vector < result.size(); ++vector) {
        const std::size_t row = result.row(vector);
        state.support.push_back(examples[row - known].features);
    }
    state.steps = coefficients_of(result);
    state.late = coefficients_of(trainer.late());
    state.examples += examples.size();
}

PolynomialModel model_of(const OnlineState& state, const PolynomialLearnerOptions& options) {
    BinaryDatasetBuilder builder;
    for (const auto& features : state.support) {
        builder.add(state.labels.front(), features);
    }
    BinaryDataset data = builder.finish();
    PolynomialModel model;
    model.degree = options.margin.degree;
    model.labels = state.labels;
    model.ranking = std::move(data.ranking);
    model.offsets = std::move(data.offsets);
    model.features = std::move(data.features);
    model.coefficients = state.steps;
    for (std::size_t i = 0; options.average && i < model.coefficients.size(); ++i) {
        model.coefficients[i] -= state.late[i] / static_cast<double>(state.examples);
    }
    return model;
}

}  // namespace treeline::polynomial
