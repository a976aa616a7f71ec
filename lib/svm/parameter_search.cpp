#include "svm/parameter_search.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "kernel/kernel_sums.hpp"
#include "svm/cutting_plane.hpp"

namespace treeline::svm {

namespace {

/// Every tree kernel of `kernel` with that decay.
kernel::KernelDescription with_lambda(kernel::KernelDescription kernel, double lambda) {
    for (auto& term : kernel.terms) {
        for (auto& factor : term.factors) {
            if (auto* trees = std::get_if<kernel::TreeKernel>(&factor)) {
                trees->lambda = lambda;
            }
        }
    }
    return kernel::parse_kernel(to_string(kernel));
}

}  // namespace

ParameterGrid usual_grid() { return {.lambdas = {0.2, 0.4, 0.6}, .costs = {1, 3, 10, 30}}; }

std::vector<Candidate> make_candidates(const ParameterGrid& grid, const MachineOptions& options) {
    const auto or_one = [](const auto& list, const auto& one) {
        return list.empty() ? std::remove_cvref_t<decltype(list)>{one} : list;
    };
    std::vector<kernel::KernelDescription> kernels;
    for (const auto& text : or_one(grid.kernels, options.kernel)) {
        const auto kernel = kernel::parse_kernel(text);
        if (grid.lambdas.empty() || !kernel.uses_trees()) {
            kernels.push_back(kernel);
        } else {
            std::ranges::transform(grid.lambdas, std::back_inserter(kernels),
                                   [&](double lambda) { return with_lambda(kernel, lambda); });
        }
    }
    std::vector<Candidate> candidates;
    for (const auto& kernel : kernels) {
        for (const double cost : or_one(grid.costs, options.trainer.c)) {
            for (const double factor : or_one(grid.cost_factors, options.cost_factor)) {
                candidates.push_back({kernel, cost, factor});
            }
        }
    }
    return candidates;
}

std::vector<evaluate::Fold> stratified_folds(const example::ExampleSet& examples,
                                             const example::ClassOptions& options, std::size_t count,
                                             std::uint64_t seed) {
    const std::vector<std::uint32_t> all = examples.all();
    const example::Classes classes(examples, all, options);
    return evaluate::make_folds(classes.members(), count, evaluate::Splitting::kStratified, seed);
}

ParameterSearch::ParameterSearch(const tree::Forest& forest, const example::ExampleSet& examples,
                                 std::vector<evaluate::Fold> folds, const MachineOptions& options,
                                 std::size_t sample, evaluate::Measure measure)
    : forest_(forest),
      examples_(examples),
      folds_(std::move(folds)),
      options_(options),
      sample_(sample),
      measure_(measure == evaluate::Measure::kAuto && !options.classes.positive.empty()
                   ? evaluate::Measure::kF1
                   : measure) {
    for (const evaluate::Fold& fold : folds_) {
        classes_.emplace_back(examples_, fold.training, options_.classes);
    }
}

CandidateScore ParameterSearch::measure(const Candidate& candidate, const std::function<bool()>& stop) const {
    kernel::KernelSpace space(candidate.kernel, forest_, examples_, kernel::Precision::kSingle);
    evaluate::Metrics metrics;
    CandidateScore score;
    for (std::size_t f = 0; f < folds_.size(); ++f) {
        const evaluate::Fold& fold = folds_[f];
        space.prepare(fold.test);
        std::vector<std::vector<double>> values;
        for (std::size_t q = 0; q < classes_[f].questions().size(); ++q) {
            const auto machine = train(candidate, fold, classes_[f].labels(q), stop);
            std::vector<std::uint32_t> support;
            std::vector<double> weights;
            for (std::size_t i = 0; i < fold.training.size(); ++i) {
                if (machine.coefficients[i] != 0) {
                    support.push_back(fold.training[i]);
                    weights.push_back(machine.coefficients[i]);
                }
            }
            space.prepare(support);
            kernel::KernelSums sums(space);
            sums.append(support);
            sums.at_examples(weights, fold.test, values.emplace_back(fold.test.size()));
            std::ranges::for_each(values.back(), [&](double& value) { value -= machine.threshold; });
            score.support_vectors += support.size();
        }
        add_predictions(classes_[f], fold, values, metrics);
    }
    score.support_vectors /= folds_.size();
    const std::string positive = is_two_class() ? classes_[0].questions()[0].positive : "";
    score.measure = evaluate::chosen_measure(measure_, metrics, positive);
    score.value = evaluate::value_of(measure_, metrics, positive);
    score.accuracy = metrics.accuracy();
    score.macro_f1 = metrics.macro_f1();
    for (const auto& found : metrics.classes()) {
        if (is_two_class() && example::same_class(found.label, positive)) {
            score.precision = found.precision;
            score.recall = found.recall;
            score.f1 = found.f1;
        }
    }
    return score;
}

TrainedMachine ParameterSearch::train(const Candidate& candidate, const evaluate::Fold& fold,
                                      const std::vector<double>& labels,
                                      const std::function<bool()>& stop) const {
    const auto stopped = [&] { return stop && stop(); };
    CuttingPlaneOptions cutting;
    cutting.c = candidate.cost;
    cutting.sample = sample_;
    cutting.epsilon = options_.trainer.epsilon;
    cutting.constant = options_.trainer.constant;
    cutting.seed = options_.trainer.seed;
    const auto costs = example_costs(examples_, fold.training, labels, candidate.cost_factor);
    auto result = train_cutting_plane({candidate.kernel, forest_, examples_, fold.training}, {labels, costs},
                                      cutting, stopped);
    if (stopped()) {
        throw base::Error("interrupted; no choice was made");
    }
    return std::move(result.machine);
}

void ParameterSearch::add_predictions(const example::Classes& classes, const evaluate::Fold& fold,
                                      const std::vector<std::vector<double>>& values,
                                      evaluate::Metrics& metrics) const {
    const auto& questions = classes.questions();
    const std::string other =
        questions[0].negative.empty() ? example::rest_of(questions[0].positive) : questions[0].negative;
    for (std::size_t k = 0; k < fold.test.size(); ++k) {
        const auto gold =
            example::cut_label(examples_.label_text(fold.test[k]), options_.classes.label_until);
        if (questions.size() == 1) {
            const bool is_positive = example::same_class(gold, questions[0].positive);
            // A third class, which is not among the training examples, is always an error.
            const bool is_other = questions[0].negative.empty() || example::same_class(gold, other);
            metrics.add(is_positive ? questions[0].positive
                        : is_other  ? std::string_view(other)
                                    : gold,
                        values[0][k] > 0 ? questions[0].positive : other);
            continue;
        }
        std::size_t best = 0;
        for (std::size_t q = 1; q < questions.size(); ++q) {
            best = values[q][k] > values[best][k] ? q : best;
        }
        metrics.add(gold, questions[best].positive);
    }
}

}  // namespace treeline::svm
