#include "sparse/sparse_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <set>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "fragment/pricing.hpp"
#include "linear/sparse_solver.hpp"

namespace treeline::sparse {

namespace {

/// Where all examples are on one side no feature is needed.
SparseFit constant_fit(double label) {
    SparseFit fit;
    fit.bias = label;
    fit.primal = 0;
    fit.reached = true;
    return fit;
}

}  // namespace

double PathStep::primal() const {
    double sum = 0;
    for (const SparseFit& fit : fits) {
        sum += fit.primal;
    }
    return sum;
}

double PathStep::gap() const {
    double worst = 0;
    for (const SparseFit& fit : fits) {
        worst = std::max(worst, fit.gap());
    }
    return worst;
}

bool PathStep::reached() const { return std::ranges::all_of(fits, &SparseFit::reached); }

bool PathStep::interrupted() const { return std::ranges::any_of(fits, &SparseFit::interrupted); }

PathLearner::PathLearner(FeatureRows& rows, const QuestionClasses& classes, double cost_factor,
                         const LearnerOptions& options, base::ProgressObserver& progress)
    : rows_(&rows), options_(options), learner_(rows, progress) {
    for (const std::uint32_t positive : classes.positives) {
        labels_.push_back(rows.labels(positive));
        costs_.push_back(rows.costs(labels_.back(), cost_factor));
    }
}

double PathLearner::first_cost() {
    double largest = 0;
    for (std::size_t question = 0; question < labels_.size(); ++question) {
        linear::SparseProblem problem{labels_[question], costs_[question], 1, options_.l2, options_.loss};
        linear::SparseSolution constant;  // the best bias, no feature
        linear::solve_sparse(problem, {}, {}, constant);
        std::vector<double> coefficients = constant.theta;
        linear::balance(problem, coefficients);
        for (std::size_t i = 0; i < coefficients.size(); ++i) {
            coefficients[i] *= problem.labels[i];
        }
        fragment::PricingOptions pricing;
        pricing.top = 1;
        pricing.threshold = 0;
        pricing.memory = options_.memory;
        largest = std::max(largest, rows_->trees().price(coefficients, pricing).largest());
        for (const double score : rows_->flat_scores(coefficients)) {
            largest = std::max(largest, std::abs(score));
        }
    }
    return largest > 0 ? 1 / largest : std::numeric_limits<double>::infinity();
}

PathStep PathLearner::learn(double c) {
    PathStep step;
    step.c = c;
    LearnerOptions options = options_;
    options.c = c;
    std::set<ColumnId> used;
    for (std::size_t question = 0; question < labels_.size(); ++question) {
        const std::vector<double>& labels = labels_[question];
        if (std::ranges::adjacent_find(labels, std::ranges::not_equal_to()) == labels.end()) {
            step.fits.push_back(constant_fit(labels.empty() ? -1 : labels[0]));
            continue;
        }
        step.fits.push_back(
            learner_.fit(labels, costs_[question], options, last_.empty() ? nullptr : &last_[question]));
        for (const ColumnWeight& item : step.fits.back().weights) {
            used.insert(item.column);
        }
    }
    step.features = used.size();
    last_ = step.fits;
    return step;
}

std::vector<double> geometric_path(double first, double last, std::size_t count) {
    constexpr double kAbove = 1.05;  // just above the first C some weight is already seen
    std::vector<double> path{kAbove * first};
    const double ratio = last / path[0];
    for (std::size_t k = 1; k < count && ratio > 1; ++k) {
        path.push_back(path[0] * std::pow(ratio, static_cast<double>(k) / static_cast<double>(count - 1)));
    }
    return path;
}

bool is_past_best(std::span<const double> path, std::span<const double> qualities) {
    constexpr double kPatience = 3;
    constexpr double kMorePatience = 8;
    constexpr double kJumps = 100;
    const std::size_t next = qualities.size();
    const auto best = std::ranges::max_element(qualities);
    if (next == path.size() || qualities.end() - best < 3 || best == qualities.begin()) {
        return false;
    }
    const bool as_good = std::find(best + 1, qualities.end(), *best) != qualities.end();
    const double patience = as_good || path[next] < kJumps * path[0] ? kMorePatience : kPatience;
    return path[next] > patience * path[static_cast<std::size_t>(best - qualities.begin())];
}

double best_cost(std::span<const double> path, std::span<const double> qualities) {
    const auto best = static_cast<std::size_t>(std::ranges::max_element(qualities) - qualities.begin());
    if (best == 0 || best + 1 >= qualities.size()) {
        return path[best];
    }
    const double before = qualities[best] - qualities[best - 1];  // above 0: the best is the first of equals
    const double after = qualities[best] - qualities[best + 1];
    const double offset = (before - after) / (2 * (before + after));  // in steps, within half a one
    const double neighbour = offset < 0 ? path[best - 1] : path[best + 1];
    return path[best] * std::pow(neighbour / path[best], std::abs(offset));
}

namespace {

/// What is learned from, and what is held out.
struct Fold {
    std::unique_ptr<FeatureRows> rows;
    std::unique_ptr<FeatureRows> others;
    std::unique_ptr<PathLearner> learner;
    std::unique_ptr<HeldOut> held_out;
    evaluate::Metrics metrics;
};

void add(evaluate::Metrics& sum, const evaluate::Metrics& one) {
    for (const auto& gold : one.classes()) {
        for (const auto& predicted : one.classes()) {
            if (const std::uint64_t count = one.confusion(gold.label, predicted.label)) {
                sum.add(gold.label, predicted.label, count);
            }
        }
    }
}

}  // namespace

std::vector<double> cross_validate(const tree::Forest& forest, const example::ExampleSet& examples,
                                   std::span<const std::uint32_t> members, const kernel::TreeKernel& kernel,
                                   fragment::FlatFeatures vectors, const QuestionClasses& classes,
                                   double cost_factor, const LearnerOptions& options,
                                   std::span<const double> path, const CrossValidation& how,
                                   base::ProgressObserver& progress) {
    const auto parts = evaluate::split_examples(members, how.folds, how.splitting, how.seed);
    std::vector<Fold> folds(parts.size());
    base::parallel_pieces(folds.size(), 1, [&](std::size_t number, std::size_t) {
        std::vector<std::uint32_t> rest;
        for (std::uint32_t i = 0; i < members.size(); ++i) {
            if (!std::ranges::binary_search(parts[number], i)) {
                rest.push_back(i);
            }
        }
        const auto make = [&](const std::vector<std::uint32_t>& subset) {
            std::vector<std::uint32_t> own;
            for (const std::uint32_t i : subset) {
                own.push_back(members[i]);
            }
            return std::make_unique<FeatureRows>(forest, examples, subset, own, kernel, vectors);
        };
        Fold& fold = folds[number];
        fold.rows = make(rest);
        fold.others = make(parts[number]);
        fold.learner = std::make_unique<PathLearner>(*fold.rows, classes, cost_factor, options);
        fold.held_out = std::make_unique<HeldOut>(*fold.others, classes);
    });
    std::vector<double> qualities;
    progress.start("cross-validation", path.size());
    for (const double c : path) {
        if (is_past_best(path, qualities)) {
            break;
        }
        base::parallel_pieces(folds.size(), 1, [&](std::size_t number, std::size_t) {
            Fold& fold = folds[number];
            const PathStep step = fold.learner->learn(c);
            fold.metrics = {};
            fold.held_out->judge(step.fits, fold.learner->columns(), fold.metrics);
        });
        if (options.cancelled && options.cancelled()) {
            break;
        }
        evaluate::Metrics metrics;
        for (const Fold& fold : folds) {
            add(metrics, fold.metrics);
        }
        qualities.push_back(quality(metrics));
        progress.update(qualities.size());
        progress.detail(
            fmt::format("C {}: {:.2f} by cross-validation", base::format_double(c), qualities.back()));
    }
    progress.finish();
    return qualities;
}

}  // namespace treeline::sparse
