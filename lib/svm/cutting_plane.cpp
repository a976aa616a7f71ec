#include "svm/cutting_plane.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/stopwatch.hpp"
#include "svm/cut_bundle.hpp"
#include "svm/cut_oracle.hpp"
#include "svm/kernel_diagonal.hpp"

namespace treeline::svm {

namespace {

/// Gap of the small QP as a part of the tolerance of the whole.
constexpr double kQpShare = 0.1;
/// Steps of all QPs after which no optimum is to be expected.
constexpr std::uint64_t kMostQpSteps = 50'000'000;

void check(const TrainingTask& task, const CuttingPlaneOptions& options) {
    if (!(options.c > 0) || !(options.epsilon > 0) || options.constant < 0) {
        throw base::UsageError("c and epsilon must be above 0, the constant feature not below 0");
    }
    const auto positive = std::ranges::count(task.labels, 1.0);
    if (positive == 0 || positive == static_cast<std::ptrdiff_t>(task.labels.size())) {
        throw base::UsageError("training needs examples of both classes");
    }
    if (!std::ranges::all_of(task.costs, [](double cost) { return cost > 0 && std::isfinite(cost); })) {
        throw base::UsageError("costs of examples must be above 0");
    }
}

template <typename Work>
auto timed(double& seconds, const Work& work) {
    const base::Stopwatch watch(seconds);
    return work();
}

}  // namespace

CuttingPlaneResult train_cutting_plane(const TrainingData& data, const TrainingTask& given,
                                       const CuttingPlaneOptions& options, const std::function<bool()>& stop,
                                       base::ProgressObserver& observer) {
    check(given, options);
    if (data.kernel.uses_vectors()) {
        (void)kernel_diagonal(data, data.subset);  // products of vectors may be too large to be computed with
    }
    TrainingTask task = given;
    double cost = static_cast<double>(data.subset.size());
    if (std::ranges::adjacent_find(task.costs, std::ranges::not_equal_to()) == task.costs.end()) {
        cost *= task.costs.empty() ? 1 : task.costs[0];
        task.costs = {};
    } else {
        cost = std::accumulate(task.costs.begin(), task.costs.end(), 0.0);
    }
    const double c = options.c * cost;
    const double constant2 = options.constant * options.constant;

    CuttingPlaneResult result;
    CuttingPlaneReport& report = result.report;
    CutBundle bundle;
    observer.start("cutting planes", 0);
    const auto oracle = timed(report.seconds_values, [&] {
        CuttingPlaneOptions chosen = options;
        if (options.sample == 0 || options.sample >= data.subset.size()) {
            chosen.sampling = CutSampling::kImportance;
        }
        const bool global =
            chosen.sampling == CutSampling::kImportance || data.subset.size() <= options.small;
        return global ? make_global_oracle(data, task, chosen) : make_local_oracle(data, task, chosen);
    });
    std::uint64_t steps = 0;
    while (report.iterations < options.max_iterations && steps < kMostQpSteps && !(stop && stop())) {
        auto proposal =
            timed(report.seconds_values, [&] { return oracle->propose(bundle, constant2 * bundle.total()); });
        ++report.iterations;
        observer.update(report.iterations);
        report.loss = proposal.loss;
        report.primal = bundle.report().norm2 / 2 + c * proposal.loss;
        if (!std::isfinite(report.primal)) {
            break;
        }
        if (!bundle.cuts().empty() && proposal.loss <= bundle.report().slack + options.epsilon) {
            report.converged = true;
            break;
        }
        auto products =
            timed(report.seconds_products, [&] { return oracle->products(bundle, proposal.cut); });
        const double total = proposal.cut.total();
        for (std::size_t i = 0; i < bundle.cuts().size(); ++i) {
            products[i] += constant2 * total * bundle.cuts()[i].total();
        }
        products.back() += constant2 * total * total;
        timed(report.seconds_qp,
              [&] { bundle.add(std::move(proposal.cut), products, c, kQpShare * options.epsilon * c); });
        steps += bundle.report().steps;
        report.qp_gap = std::max(report.qp_gap, bundle.report().gap);
        if (options.idle_limit > 0) {
            const auto keep = bundle.remove_idle(options.idle_limit);
            if (!keep.empty()) {
                report.removed_cuts += static_cast<std::size_t>(std::count(keep.begin(), keep.end(), false));
                oracle->removed(bundle, keep);
            }
        }
    }
    observer.finish();

    result.machine.coefficients.resize(data.subset.size());
    bundle.add_coefficients(result.machine.coefficients);
    result.machine.threshold = -constant2 * bundle.total();
    report.cuts = bundle.cuts().size();
    report.support_vectors = result.machine.coefficients.size() -
                             static_cast<std::size_t>(std::ranges::count(result.machine.coefficients, 0.0));
    report.slack = bundle.report().slack;
    report.objective = bundle.report().objective;
    report.norm = std::sqrt(std::max(0.0, bundle.report().norm2));
    return result;
}

}  // namespace treeline::svm
