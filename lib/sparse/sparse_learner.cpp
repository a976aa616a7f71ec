#include "sparse/sparse_learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/stopwatch.hpp"
#include "fragment/pricing.hpp"
#include "linear/sparse_solver.hpp"

namespace treeline::sparse {

namespace {

using linear::SparseColumn;
using linear::SparseProblem;
using linear::SparseSolution;

/// The features at work for one question, with their weights, and rounds of column generation.
class Generation {
  public:
    Generation(FeatureRows& rows, ColumnPool& pool, const SparseProblem& problem,
               const LearnerOptions& options, base::ProgressObserver& progress)
        : rows_(&rows), pool_(&pool), problem_(problem), options_(&options), progress_(&progress) {}

    SparseFit run(const SparseFit* start) {
        if (start != nullptr) {
            take_up(*start);
        }
        while (true) {
            solve();
            ++fit_.rounds;
            fresh_ = price();
            progress_->update(fit_.rounds);
            progress_->detail(fmt::format("round {}: {} features at work, {} with a weight, gap {:.2e}",
                                          fit_.rounds, work_.size(), fit_.weights.size(), fit_.gap()));
            if (fit_.gap() <= options_->gap) {
                fit_.reached = true;
                break;
            }
            if (options_->cancelled && options_->cancelled()) {
                fit_.interrupted = true;
                break;
            }
            if (fit_.rounds >= options_->max_rounds || (!fresh_ && !tighten())) {
                break;
            }
        }
        return std::move(fit_);
    }

  private:
    struct Working {
        ColumnId column;
        std::uint32_t idle = 0;  // rounds since it had a weight
    };

    void take_up(const SparseFit& start) {
        for (const ColumnWeight& item : start.weights) {
            add(item.column);
            solution_.weights.push_back(item.weight);
        }
        solution_.bias = start.bias;
        warm_ = !start.weights.empty();
        if (warm_) {
            inner_gap_ = std::max(kWarmInner, options_->gap);
        }
        make_columns();
    }

    bool add(ColumnId id) {
        if (at_work_.size() <= id) {
            at_work_.resize(pool_->size() + id + 1);
        }
        if (at_work_[id]) {
            return false;
        }
        at_work_[id] = true;
        work_.push_back({id});
        return true;
    }

    void make_columns() {
        const base::Stopwatch watch(fit_.column_seconds);
        std::vector<ColumnId> ids;
        for (const Working& working : work_) {
            ids.push_back(working.column);
        }
        pool_->make(ids);
        keep_to_memory();
    }

    /// Gives up columns that are not at work where those that are there take more than half of the memory; the other half is the solver's.
    void keep_to_memory() {
        const std::size_t allowed = options_->memory / 2;
        for (ColumnId id = 0; id < pool_->size() && pool_->bytes() > allowed; ++id) {
            if (id >= at_work_.size() || !at_work_[id]) {
                pool_->drop(id);
            }
        }
        if (pool_->bytes() > allowed) {
            throw base::Error(fmt::format(
                "the {} features at work take {}, more than half of the memory allowed ({})", work_.size(),
                base::format_size(pool_->bytes()), base::format_size(options_->memory)));
        }
    }

    void solve() {
        const base::Stopwatch watch(fit_.solving_seconds);
        std::vector<const SparseColumn*> columns;
        for (const Working& working : work_) {
            columns.push_back(pool_->column(working.column));
        }
        solution_.weights.resize(columns.size(), 0.0);
        linear::SparseOptions inner;
        inner.gap = inner_gap_;
        if (fit_.gap() > kRough && fresh_) {
            inner.max_rounds = kFewRounds;
        }
        inner.cancelled = options_->cancelled;
        linear::solve_sparse(problem_, columns, inner, solution_);
        if (solution_.primal <= fit_.primal) {
            keep();
        }
    }

    void keep() {
        fit_.primal = solution_.primal;
        fit_.bias = solution_.bias;
        fit_.weights.clear();
        for (std::size_t i = 0; i < work_.size(); ++i) {
            if (solution_.weights[i] != 0) {
                fit_.weights.push_back({work_[i].column, solution_.weights[i]});
            }
        }
        std::ranges::sort(fit_.weights, {}, &ColumnWeight::column);
        fit_.support =
            solution_.theta.size() - static_cast<std::size_t>(std::ranges::count(solution_.theta, 0.0));
    }

    /// Mines what violates, bounds the optimum from below, adds what was found. False if nothing is new.
    bool price() {
        std::vector<double> theta = solution_.theta;
        linear::balance(problem_, theta);
        std::vector<double> coefficients(theta.size());
        for (std::size_t i = 0; i < theta.size(); ++i) {
            coefficients[i] = problem_.labels[i] * theta[i];
        }
        const fragment::Priced priced = mine(coefficients);
        const std::vector<double> flat = rows_->flat_scores(coefficients);
        bound(theta, priced, flat);

        retire();
        added_ = 0;
        for (std::size_t i = 0; i < priced.scores.size(); ++i) {
            added_ += add(pool_->intern(priced.fragments[i]));
        }
        for (std::uint32_t j = 0; j < flat.size(); ++j) {
            if (std::abs(flat[j]) > threshold()) {
                added_ += add(pool_->intern_flat(j));
            }
        }
        make_columns();
        if (added_ > 0) {
            inner_gap_ = std::min(inner_gap_, std::max(kInner * fit_.gap(), kInner * options_->gap));
        }
        return added_ > 0;
    }

    /// Least |s_f| looked for: what lies between 1 and this costs the certificate a quarter of the gap at most, as scaling by 1/t
    /// lowers the dual value by at most (t - 1) ||w||_1 to first order.
    [[nodiscard]] double threshold() const { return 1 + options_->gap / 4; }

    fragment::Priced mine(std::span<const double> coefficients) {
        const base::Stopwatch watch(fit_.mining_seconds);
        const std::size_t violated = static_cast<std::size_t>(std::ranges::count_if(
            solution_.scores, [&](double score) { return std::abs(score) > threshold(); }));
        fragment::PricingOptions options;
        options.top = std::max(kFewest, work_.size()) + violated;
        options.skip_repeats = options_->l2 == 0;
        options.memory = options_->memory;
        options.threshold = threshold();
        if (warm_ || fit_.rounds > 1) {  // not many violate: the limit need not be looked for
            options.from_above = false;
            options.threshold = std::max(threshold(), 1 + (unlisted_ - 1) / 2);
        }
        fragment::Priced priced = rows_->trees().price(coefficients, options);
        fit_.patterns += priced.patterns;
        while (priced.scores.size() < options.top / 4 && options.threshold > threshold()) {
            options.threshold = std::max(threshold(), 1 + (options.threshold - 1) / 4);
            if (options.threshold < 1 + 1.5 * (threshold() - 1)) {
                options.threshold = threshold();
            }
            priced = rows_->trees().price(coefficients, options);
            fit_.patterns += priced.patterns;
        }
        unlisted_ = priced.unlisted;
        return priced;
    }

    void bound(std::span<const double> theta, const fragment::Priced& priced, std::span<const double> flat) {
        const double unlisted = priced.unlisted * kRounding;
        double largest = priced.largest() * kRounding;
        for (const double score : flat) {
            largest = std::max(largest, std::abs(score) * kRounding);
        }
        double dual = linear::dual_bound(problem_, theta, largest, std::numeric_limits<double>::infinity());
        if (options_->l2 > 0) {
            const double scale = unlisted > 1 ? 1 / unlisted : 1;
            double excess = 0;
            const auto count = [&](double score) {
                const double above = std::max(0.0, scale * std::abs(score) * kRounding - 1);
                excess += above * above;
            };
            std::ranges::for_each(priced.scores, count);
            std::ranges::for_each(flat, count);
            dual = std::max(dual, linear::sparse_dual(problem_, theta, scale) - excess / (2 * options_->l2));
        }
        fit_.dual = std::max(fit_.dual, dual);
    }

    /// Leaves out features without a weight for some rounds.
    void retire() {
        std::vector<double> weights;
        std::vector<Working> kept;
        for (std::size_t i = 0; i < work_.size(); ++i) {
            Working working = work_[i];
            working.idle = solution_.weights[i] != 0 ? 0 : working.idle + 1;
            if (working.idle > kPatience) {
                at_work_[working.column] = false;
                continue;
            }
            kept.push_back(working);
            weights.push_back(solution_.weights[i]);
        }
        work_ = std::move(kept);
        solution_.weights = std::move(weights);
    }

    /// Nothing is new, and the gap is still too large: the solution over the features at work is not good enough.
    bool tighten() {
        if (inner_gap_ < kFinest) {
            return false;
        }
        inner_gap_ = std::min(inner_gap_ / 10, kInner * options_->gap);
        return true;
    }

    static constexpr std::size_t kFewest = 200;    // fragments asked for in a round
    static constexpr std::uint32_t kPatience = 5;  // rounds without a weight
    static constexpr double kRough = 0.1;  // above such a gap new features matter more than good weights,
    static constexpr std::size_t kFewRounds = 3;  // which so many rounds of the solver give
    static constexpr double kInner = 0.1;         // inner gap to gap
    static constexpr double kWarmInner =
        0.01;  // first inner gap from a start: it fits another C, and so would what is added
    static constexpr double kFinest = 1e-14;        // no inner gap below
    static constexpr double kRounding = 1 + 1e-12;  // scores are sums of rounded numbers

    FeatureRows* rows_;
    ColumnPool* pool_;
    SparseProblem problem_;
    const LearnerOptions* options_;
    base::ProgressObserver* progress_;

    SparseFit fit_;
    SparseSolution solution_;
    std::vector<Working> work_;
    std::vector<bool> at_work_;  // by column
    double inner_gap_ = 1e-1;
    double unlisted_ = 1;
    std::size_t added_ = 0;
    bool warm_ = false;  // started from weights
    bool fresh_ = true;  // features were added in the last round
};

}  // namespace

void validate(const LearnerOptions& options) {
    if (!(options.gap > 0) || !std::isfinite(options.gap)) {
        throw base::UsageError("the gap must be a number above 0");
    }
    if (options.max_rounds == 0) {
        throw base::UsageError("there must be at least one round");
    }
}

SparseLearner::SparseLearner(FeatureRows& rows, base::ProgressObserver& progress)
    : rows_(&rows), progress_(&progress), pool_(rows) {}

SparseFit SparseLearner::fit(std::span<const double> labels, std::span<const double> costs,
                             const LearnerOptions& options, const SparseFit* start) {
    validate(options);
    const SparseProblem problem{labels, costs, options.c, options.l2, options.loss};
    linear::validate(problem);
    std::optional<SparseFit> begun;
    if (start == nullptr) {
        begun = sample_fit(labels, costs, options);
        if (!begun) {
            begun = fit_smaller_c(problem, options);
        }
    }
    return Generation(*rows_, pool_, problem, options, *progress_).run(begun ? &*begun : start);
}

std::optional<SparseFit> SparseLearner::fit_smaller_c(const SparseProblem& problem,
                                                      const LearnerOptions& options) {
    constexpr double kEasy = 3e4;  // C times the sum of the costs
    constexpr double kStep = 10;
    constexpr double kGap = 1e-2;
    const double total = std::accumulate(problem.costs.begin(), problem.costs.end(), 0.0);
    std::vector<double> smaller;
    for (double c = problem.c; c * total > kEasy;) {
        c /= kStep;
        smaller.push_back(c);
    }
    std::ranges::reverse(smaller);
    std::optional<SparseFit> fit;
    LearnerOptions loose = options;
    loose.gap = std::max(options.gap, kGap);
    for (const double c : smaller) {
        SparseProblem easier = problem;
        easier.c = c;
        progress_->detail(fmt::format("first with C = {:.3g}", c));
        fit = Generation(*rows_, pool_, easier, loose, *progress_).run(fit ? &*fit : nullptr);
    }
    return fit;
}

std::optional<SparseFit> SparseLearner::sample_fit(std::span<const double> labels,
                                                   std::span<const double> costs,
                                                   const LearnerOptions& options) {
    if (rows_->size() <= kSampleAbove) {
        return std::nullopt;
    }
    std::vector<double> some_labels;
    std::vector<double> some_costs;
    double kept = 0;
    for (std::size_t row = 0; row < rows_->size(); row += kSampleStride) {
        some_labels.push_back(labels[row]);
        some_costs.push_back(costs[row]);
        kept += costs[row];
    }
    const auto [least, most] = std::ranges::minmax(some_labels);
    if (least == most) {
        return std::nullopt;
    }
    const double factor = std::accumulate(costs.begin(), costs.end(), 0.0) / kept;
    for (double& cost : some_costs) {
        cost *= factor;
    }
    if (!sample_) {
        sample_rows_ = std::make_unique<FeatureRows>(rows_->sample(kSampleStride));
        sample_ = std::make_unique<SparseLearner>(*sample_rows_, *progress_);
    }
    constexpr double kGap = 0.1;
    LearnerOptions loose = options;
    loose.gap = std::max(options.gap, kGap);
    progress_->detail(fmt::format("first from {} of {} rows", some_labels.size(), labels.size()));
    SparseFit fit = sample_->fit(some_labels, some_costs, loose);
    for (ColumnWeight& item : fit.weights) {
        const auto fragment = sample_->columns().fragment(item.column);
        item.column = fragment ? pool_.intern(*fragment)
                               : pool_.intern_flat(sample_->columns().flat_column(item.column));
    }
    return fit;
}

}  // namespace treeline::sparse
