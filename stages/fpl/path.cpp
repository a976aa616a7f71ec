#include "fpl/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "classify/pages.hpp"

namespace treeline::fpl {

namespace {

constexpr std::size_t kSteps = 50;        ///< of a path
constexpr std::size_t kSearchSteps = 21;  ///< of a search
/// Largest C to the first one.
constexpr double kReach = 1e4;
constexpr double kSearchReach = 1e5;
constexpr double kPatience =
    8;  ///< a search ends where C is so many times the best, once one was better than the first
constexpr std::size_t kStrongest = 30;  ///< features drawn

std::string row_of(const sparse::PathStep& step, const std::string& measure) {
    const std::string quality = step.quality ? fmt::format(", {} {:.2f}", measure, *step.quality) : "";
    return fmt::format("C {:.4g}: {} features, objective {:.8g}, gap {:.2e}{}{}", step.c, step.features,
                       step.primal(), step.gap(), step.reached() ? "" : " (NOT THE ONE ASKED FOR)", quality);
}

/// Text or number of a feature.
std::string name_of(sparse::ColumnId id, const sparse::ColumnPool& columns,
                    const tree::SymbolTable& symbols) {
    const auto fragment = columns.fragment(id);
    return fragment ? fragment::to_text(*fragment, symbols)
                    : fmt::format("feature {}", columns.flat_feature(id));
}

double weight_of(const sparse::SparseFit& fit, sparse::ColumnId id) {
    const auto found = std::ranges::lower_bound(fit.weights, id, {}, &sparse::ColumnWeight::column);
    return found != fit.weights.end() && found->column == id ? found->weight : 0;
}

}  // namespace

std::vector<double> costs_of(const PathOptions& options, double first) {
    const bool only_search = options.search && options.steps == 0;
    const std::size_t steps = options.steps > 0 ? options.steps : only_search ? kSearchSteps : kSteps;
    return sparse::geometric_path(first, options.last.value_or(first * (only_search ? kSearchReach : kReach)),
                                  steps);
}

void follow(Path& path, const PathOptions& options, sparse::PathLearner& learner, sparse::HeldOut* held_out,
            base::ProgressObserver& progress) {
    const auto& validation = path.validation;
    std::vector<double> costs = path.costs;
    if (!validation.empty()) {
        const double last = sparse::best_cost(costs, validation);
        std::erase_if(costs, [&](double c) { return c >= last; });
        costs.push_back(last);
    }
    path.how = "is the last of the path";
    std::size_t best = 0;
    progress.start("path", costs.size());
    for (std::size_t k = 0; k < costs.size(); ++k) {
        sparse::PathStep step = learner.learn(costs[k]);
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
            step.quality = sparse::quality(metrics);
        } else if (k < validation.size() && costs[k] == path.costs[k]) {
            step.quality = validation[k];
        }
        progress.update(k + 1);
        progress.note(row_of(step, path.measure));
        path.steps.push_back(std::move(step));
        if (path.steps[k].quality.value_or(0) > path.steps[best].quality.value_or(0)) {
            best = k;
        }
        if (path.interrupted || (options.search && best > 0 && costs[k] > kPatience * costs[best])) {
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
        path.chosen = best;
        path.how = fmt::format("was chosen: {} {:.2f}{}", path.measure, *path.steps[best].quality,
                               path.interrupted ? " before the interruption" : "");
    }
    progress.note(fmt::format("C {} {}", base::format_double(path.steps[path.chosen].c), path.how));
}

std::string path_json(const Path& path, const PathDescription& description, const sparse::ColumnPool& columns,
                      const tree::SymbolTable& symbols) {
    using nlohmann::ordered_json;
    ordered_json steps = ordered_json::array();
    for (const sparse::PathStep& step : path.steps) {
        double bound = 0;
        for (const sparse::SparseFit& fit : step.fits) {
            bound += fit.dual;
        }
        steps.push_back({{"c", step.c},
                         {"features", step.features},
                         {"objective", step.primal()},
                         {"bound", bound},
                         {"gap", step.gap()},
                         {"gap_reached", step.reached()},
                         {"quality", step.quality ? ordered_json(*step.quality) : ordered_json(nullptr)}});
    }
    ordered_json validation = ordered_json::array();
    for (std::size_t k = 0; k < path.validation.size(); ++k) {
        validation.push_back({{"c", path.costs[k]}, {"quality", path.validation[k]}});
    }
    struct Strong {
        std::size_t question;
        sparse::ColumnWeight item;
        std::string text;
    };
    std::vector<Strong> strong;
    const auto& fits = path.steps[path.chosen].fits;
    for (std::size_t question = 0; question < fits.size(); ++question) {
        for (const sparse::ColumnWeight& item : fits[question].weights) {
            strong.push_back({question, item, name_of(item.column, columns, symbols)});
        }
    }
    std::ranges::sort(strong, [](const Strong& a, const Strong& b) {
        return std::tuple(-std::abs(a.item.weight), a.question, std::string_view(a.text)) <
               std::tuple(-std::abs(b.item.weight), b.question, std::string_view(b.text));
    });
    strong.resize(std::min(strong.size(), kStrongest));
    ordered_json features = ordered_json::array();
    for (const Strong& one : strong) {
        ordered_json weights = ordered_json::array();
        for (const sparse::PathStep& step : path.steps) {
            weights.push_back(weight_of(step.fits[one.question], one.item.column));
        }
        features.push_back(
            {{"class", description.positives[one.question]}, {"text", one.text}, {"weights", weights}});
    }
    const ordered_json all = {{"kernel", description.kernel},   {"loss", description.loss},
                              {"measure", path.measure},        {"how", path.how},
                              {"chosen", path.chosen},          {"steps", steps},
                              {"cross_validation", validation}, {"features", features}};
    return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string path_page(const std::string& json) {
    std::string data = json;  // inside a script no text may look like its end
    for (std::size_t at = data.find('<'); at != std::string::npos; at = data.find('<', at + 1)) {
        data.replace(at, 1, "\\u003c");
    }
    return classify::fill_page(classify::path_html(), classify::treeline_css(),
                               "const path = " + data + ";\n" + std::string(classify::path_js()));
}

}  // namespace treeline::fpl
