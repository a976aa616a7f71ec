#include "linear/cost_search.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "evaluate/folds.hpp"
#include "evaluate/metrics.hpp"
#include "example/decision.hpp"
#include "linear/linear_trainer.hpp"
#include "linear/newton.hpp"

namespace treeline::linear {

namespace {

/// Rows to learn from and rows to judge by, and the model of the C before.
struct Fold {
    LinearProblem train;
    LinearProblem test;
    LinearModel model;
    bool trained = false;
};

void add_row(LinearProblem& to, const LinearProblem& from, std::size_t row) {
    to.rows.push_back(from.rows[row]);
    to.classes.push_back(from.classes[row]);
    if (!from.weights.empty()) {
        to.weights.push_back(from.weights[row]);
    }
}

std::vector<Fold> make_folds(const LinearProblem& problem, std::size_t count, std::uint64_t seed) {
    LinearProblem head;
    head.labels = problem.labels;
    head.features = problem.features;
    std::vector<Fold> folds;
    for (const evaluate::Fold& parts :
         evaluate::make_folds(problem.classes, count, evaluate::Splitting::kRandom, seed)) {
        Fold& fold = folds.emplace_back(Fold{.train = head, .test = head, .model = {}});
        for (const std::uint32_t row : parts.training) {
            add_row(fold.train, problem, row);
        }
        for (const std::uint32_t row : parts.test) {
            add_row(fold.test, problem, row);
        }
    }
    return folds;
}

void judge(const LinearModel& model, const LinearProblem& test, evaluate::Metrics& metrics) {
    std::vector<double> decisions(model.columns());
    for (std::size_t i = 0; i < test.rows.size(); ++i) {
        model.decision_values(test.rows[i], decisions);
        metrics.add(test.labels[test.classes[i]], model.labels[example::decide(decisions)]);
    }
}

}  // namespace

double search_cost(const CostSearchOptions& options, const LinearOptions& learner,
                   const LinearProblem& problem, const LinearProblem* dev, base::ProgressObserver& progress) {
    std::vector<Fold> folds;
    if (dev == nullptr) {
        folds = make_folds(problem, options.folds, learner.seed);
    } else {
        folds.push_back({.train = problem, .test = *dev, .model = {}});
    }
    if (std::ranges::all_of(folds, [](const Fold& fold) { return fold.test.rows.empty(); })) {
        progress.warn("every class has a single example, so that none can be judged: the first C is taken");
    }
    const std::string positive = problem.labels.size() == 2 ? model_labels(problem)[0] : "";
    double best = options.from;
    double best_score = -1;
    for (double c = options.from; c <= options.to * (1 + 1e-9); c *= options.factor) {
        evaluate::Metrics metrics;
        progress.start(fmt::format("C={}", base::format_double(c)), folds.size());
        for (std::size_t i = 0; i < folds.size(); ++i) {
            Fold& fold = folds[i];
            LinearOptions candidate = learner;
            candidate.c = c;
            candidate.start = fold.trained && has_newton(learner.solver) ? &fold.model : nullptr;
            fold.model = train_linear(fold.train, candidate);
            fold.trained = true;
            judge(fold.model, fold.test, metrics);
            progress.update(i + 1);
        }
        progress.finish();
        const double score = evaluate::value_of(options.measure, metrics, positive);
        progress.note(fmt::format("C={}: {:.2f}", base::format_double(c), score));
        if (score > best_score) {
            best_score = score;
            best = c;
        }
    }
    return best;
}

}  // namespace treeline::linear
