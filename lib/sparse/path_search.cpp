#include "sparse/path_search.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace treeline::sparse {

namespace {

constexpr std::size_t kSteps = 50;        ///< of a path
constexpr std::size_t kSearchSteps = 21;  ///< of a search
/// Largest C to the first one.
constexpr double kReach = 1e4;
constexpr double kSearchReach = 1e5;

std::string row_of(const PathStep& step, const std::string& measure) {
    const std::string quality = step.quality ? fmt::format(", {} {:.2f}", measure, *step.quality) : "";
    return fmt::format("C {:.4g}: {} features, objective {:.8g}, gap {:.2e}{}{}", step.c, step.features,
                       step.primal(), step.gap(), step.reached() ? "" : " (NOT THE ONE ASKED FOR)", quality);
}

}  // namespace

std::vector<double> costs_of(const PathOptions& options, double first) {
    const bool only_search = options.search && options.steps == 0;
    const std::size_t steps = options.steps > 0 ? options.steps : only_search ? kSearchSteps : kSteps;
    return geometric_path(first, options.last.value_or(first * (only_search ? kSearchReach : kReach)), steps);
}

void follow(Path& path, const PathOptions& options, PathLearner& learner, HeldOut* held_out,
            base::ProgressObserver& progress) {
    const auto& validation = path.validation;
    std::vector<double> costs = path.costs;
    if (!validation.empty()) {
        const double last = best_cost(costs, validation);
        std::erase_if(costs, [&](double c) { return c >= last; });
        costs.push_back(last);
    }
    path.how = "is the last of the path";
    std::vector<double> judged;
    progress.start("path", costs.size());
    for (std::size_t k = 0; k < costs.size(); ++k) {
        PathStep step = learner.learn(costs[k]);
        path.interrupted = step.interrupted() || (k + 1 < costs.size() && learner.cancelled());
        if (step.interrupted() && !path.steps.empty()) {
            break;
        }
        if (options.max_fragments > 0 && step.features > options.max_fragments) {
            progress.note(fmt::format("C {:.4g}: {} features, more than {}", step.c, step.features,
                                      options.max_fragments));
            path.how = fmt::format("is the last with at most {} features", options.max_fragments);
            break;
        }
        if (held_out != nullptr) {
            evaluate::Metrics metrics;
            held_out->judge(step.fits, learner.columns(), metrics);
            judged.push_back(quality(metrics));
            step.quality = judged.back();
        } else if (k < validation.size() && costs[k] == path.costs[k]) {
            step.quality = validation[k];
        }
        progress.update(k + 1);
        progress.note(row_of(step, path.measure));
        path.steps.push_back(std::move(step));
        if (path.interrupted || (options.search && is_past_best(costs, judged))) {
            break;
        }
    }
    progress.finish();
    if (path.steps.empty()) {
        throw base::Error(fmt::format("the smallest model has more than {} features", options.max_fragments));
    }
    path.chosen = path.steps.size() - 1;
    if (path.interrupted) {
        path.how = "is the last before the interruption";
    } else if (path.chosen + 1 == costs.size() && !validation.empty()) {
        path.how = fmt::format("was chosen: {} up to {:.2f}", path.measure, std::ranges::max(validation));
    }
    if (options.search && held_out != nullptr) {
        const auto best = std::ranges::max_element(judged);
        path.chosen = static_cast<std::size_t>(best - judged.begin());
        path.how = fmt::format("was chosen: {} {:.2f}{}", path.measure, *best,
                               path.interrupted ? " before the interruption" : "");
    }
    progress.note(fmt::format("C {} {}", base::format_double(path.steps[path.chosen].c), path.how));
}

}  // namespace treeline::sparse
